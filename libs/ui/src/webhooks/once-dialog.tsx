// A dialog that ends with a secret. It closes only with the button, so the secret is not lost by accident.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SecretText } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';

const text = words.webhooks;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The form; it passes the secret to `show`. */
  readonly children: (show: (secret: string) => void) => ReactNode;
  /** A hint about the secret. */
  readonly note: ReactNode;
}

export function OnceDialog({ opened, onClose, title, children, note }: Props) {
  const [secret, setSecret] = useState<string>();
  const close = () => {
    setSecret(undefined);
    onClose();
  };
  const isShown = secret !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {opened && !isShown && children(setSecret)}
      {opened && isShown && (
        <Stack>
          <Text size="sm">{text.shownOnce}</Text>
          <SecretText secret={secret} label={text.secret} />
          <Text size="sm" c="dimmed">
            {note}
          </Text>
          <Group justify="flex-end">
            <Button onClick={close}>{text.kept}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
