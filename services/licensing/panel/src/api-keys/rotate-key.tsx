// Rotates a key: creates a new one, and keeps the old one valid for the overlap.
import { post } from '@counterfoil/ui/api/request.ts';
import { useAction } from '@counterfoil/ui/api/use-action.ts';
import { RotateForm } from '@counterfoil/ui/parts/rotate-form.tsx';
import { SecretText } from '@counterfoil/ui/parts/secret-reveal.tsx';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { words } from '../strings.ts';
import type { ApiKey } from '../wire.ts';
import { useWorkspace } from '../workspace.ts';

const text = words.keys;

interface Props {
  readonly apiKey: ApiKey;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function RotateDialog(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={text.rotateTitle(props.apiKey.name)}
      size="lg"
      closeOnClickOutside={false}
    >
      {props.opened && <Rotate {...props} />}
    </Modal>
  );
}

function Rotate({ apiKey: key, onClose }: Props) {
  const { base } = useWorkspace();
  const action = useAction(
    (overlap: string) => post<{ secret: string }>(`${base}/api-keys/${key.id}/rotate`, { overlap }),
    { quiet: true },
  );
  if (action.data) {
    return (
      <Stack>
        <Text fw={600}>{text.rotated}</Text>
        <SecretText secret={action.data.secret} label={text.keyLabel} />
        <Text size="sm" c="dimmed">
          {text.rotatedText}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{text.done}</Button>
        </Group>
      </Stack>
    );
  }
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
