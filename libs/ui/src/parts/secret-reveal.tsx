// Shows a new secret, or reveals a stored secret after the password was entered.
import { Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { post } from '../api/request.ts';
import { words } from '../strings.ts';
import { ActionForm, OwnPasswordInput, useAction, useFields } from './action.tsx';
import { CopyButton } from './code-block.tsx';
import { DialogButton, type DialogControls } from './dialog.tsx';
import { Hint } from './page.tsx';

/** Shows a secret in full, with a button that copies it. */
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

/** Shows a new secret, with a text above it and a hint below it. */
export function NewSecret(props: { text?: string; label: string; secret: string; hint?: string }) {
  return (
    <>
      {props.text && <Text size="sm">{props.text}</Text>}
      <SecretText secret={props.secret} label={props.label} />
      {props.hint && <Hint size="sm">{props.hint}</Hint>}
    </>
  );
}

interface RevealProps {
  readonly label: string;
  /** The path in the service that returns the secret if the password is right. */
  readonly path: string;
  /** The field of the response that has the secret. */
  readonly field?: string;
  readonly onReveal?: (secret: string) => void;
}

export function SecretReveal(props: RevealProps & { buttonLabel?: string; size?: string }) {
  return (
    <DialogButton
      label={props.buttonLabel ?? words.reveal.button}
      title={props.label}
      variant="default"
      size={props.size ?? 'xs'}
      leftSection={<KeyRound size={14} />}
      dialog={{ centered: true, size: 'lg' }}
    >
      {(controls) => <Reveal {...props} {...controls} />}
    </DialogButton>
  );
}

function Reveal(props: RevealProps & DialogControls) {
  const { label, path, field: secretField = 'secret' } = props;
  const { values, field } = useFields({ password: '' });
  const action = useAction(() => post<Record<string, string>>(path, values), {
    quiet: true,
    refresh: ['audit'],
    onDone: ({ [secretField]: secret = '' }) => {
      props.onReveal?.(secret);
      props.show(<NewSecret label={label} secret={secret} hint={words.reveal.keep} />);
    },
  });
  return (
    <ActionForm action={action} submit={words.reveal.show} onCancel={props.close}>
      <Text size="sm">{words.reveal.why}</Text>
      <OwnPasswordInput {...field('password')} />
    </ActionForm>
  );
}

export type NamedSecret = readonly [label: string, secret: string];

/** Shows several secrets with their names, with a text above them and a hint below them. */
export function Secrets(props: { text: string; secrets: readonly NamedSecret[]; hint?: string }) {
  return (
    <>
      <Text size="sm">{props.text}</Text>
      {props.secrets.map(([label, secret]) => (
        <Stack key={label} gap={4}>
          <Hint>{label}</Hint>
          <SecretText secret={secret} label={label} />
        </Stack>
      ))}
      {props.hint && <Hint size="sm">{props.hint}</Hint>}
    </>
  );
}
