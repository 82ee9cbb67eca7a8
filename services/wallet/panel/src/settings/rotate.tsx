// Rotates a key pair or the AES key: shows the new one once, keeps the old one for the overlap.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { formatMoment } from '@counterfoil/ui/parts/moment.tsx';
import { RotateForm } from '@counterfoil/ui/parts/rotate-form.tsx';
import { type NamedSecret, Secrets } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePackage } from '../package.ts';
import { words } from '../strings.ts';

const text = words.credentials;

export type RotateTarget = 'caller' | 'callback' | 'aes';

interface Rotated {
  readonly old_until: string;
  readonly aes_key?: string;
  readonly pair?: { readonly api_key: string; readonly api_secret: string };
}

export function RotateDialog(props: { target: RotateTarget | undefined; onClose: () => void }) {
  const { target } = props;
  // The dialog with the secret closes only with its button, so the secret is not lost by accident.
  const [isShown, setShown] = useState(false);
  const close = () => {
    setShown(false);
    props.onClose();
  };
  return (
    <Modal
      opened={target !== undefined}
      onClose={close}
      title={target && text.rotateTitles[target]}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {target && <Rotate target={target} onClose={close} onShown={() => setShown(true)} />}
    </Modal>
  );
}

function Rotate(props: { target: RotateTarget; onClose: () => void; onShown: () => void }) {
  const { target, onClose } = props;
  const { base } = usePackage();
  const action = useAction(
    (overlap: string) =>
      target === 'aes'
        ? post<Rotated>(`${base}/aes-key/rotate`, { overlap })
        : post<Rotated>(`${base}/key-pairs/rotate`, { purpose: target, overlap }),
    { quiet: true, onDone: props.onShown },
  );
  if (action.data) return <Shown rotated={action.data} onClose={onClose} />;
  return (
    <RotateForm
      text={{ ...text, cancel: words.cancel }}
      error={action.error}
      waiting={action.isPending}
      onRotate={(overlap) => action.mutate(overlap)}
      onClose={onClose}
    />
  );
}

function Shown({ rotated, onClose }: { rotated: Rotated; onClose: () => void }) {
  const { pair, aes_key: aesKey, old_until: until } = rotated;
  const secrets: NamedSecret[] = [
    ...(pair ? [[text.key, pair.api_key] as const, [text.secret, pair.api_secret] as const] : []),
    ...(aesKey ? [[text.aes, aesKey] as const] : []),
  ];
  return (
    <Stack>
      <Text size="sm">{text.shownOnce}</Text>
      <Secrets secrets={secrets} />
      <Text size="sm" c="dimmed">
        {text.oldUntil(formatMoment(until))}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>{text.kept}</Button>
      </Group>
    </Stack>
  );
}
