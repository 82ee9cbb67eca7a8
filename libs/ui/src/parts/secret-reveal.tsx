// Shows a secret that was just created, or reveals a stored one after the password was entered.
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { words } from '../strings.ts';
import { CopyButton } from './code-block.tsx';
import { ActionForm, FormButtons } from './form.tsx';

/** A secret in full, with a button that copies it. */
export function SecretText({ secret, label }: { secret: string; label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <output className="cf-code cf-break" aria-label={label} data-testid="secret">
        {secret}
      </output>
      <CopyButton value={secret} />
    </Group>
  );
}

/** `reveal` sends the password to the service and returns the secret. */
export function SecretReveal(props: {
  label: string;
  buttonLabel?: string;
  size?: string;
  reveal: (password: string) => Promise<string>;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size={props.size ?? 'xs'}
        leftSection={<KeyRound size={14} />}
        onClick={() => setOpened(true)}
      >
        {props.buttonLabel ?? words.reveal.button}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={props.label}
        centered
        size="lg"
      >
        {opened && <Reveal {...props} onClose={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

function Reveal(props: {
  label: string;
  reveal: (password: string) => Promise<string>;
  onClose: () => void;
}) {
  const [password, setPassword] = useState('');
  const action = useAction(() => props.reveal(password), { quiet: true, refresh: ['audit'] });
  if (action.data !== undefined) {
    return (
      <Stack>
        <SecretText secret={action.data} label={props.label} />
        <Text size="sm" c="dimmed">
          {words.reveal.keep}
        </Text>
        <Group justify="flex-end">
          <Button onClick={props.onClose}>{words.reveal.close}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <ActionForm action={action}>
      <Text size="sm">{words.reveal.why}</Text>
      <PasswordInput
        label={words.signIn.password}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
        data-autofocus
      />
      <FormButtons submit={words.reveal.show} onCancel={props.onClose} waiting={action.isPending} />
    </ActionForm>
  );
}

export type NamedSecret = readonly [label: string, secret: string];

export function Secrets({ secrets }: { secrets: readonly NamedSecret[] }) {
  return secrets.map(([label, secret]) => (
    <Stack key={label} gap={4}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <SecretText secret={secret} label={label} />
    </Stack>
  ));
}
