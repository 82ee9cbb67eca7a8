// Sets up the second factor in four steps: enter the password, scan the QR code, enter a code, store the
// recovery codes.
import { Button, Center, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { meKey } from '../api/me.ts';
import { post } from '../api/request.ts';
import { ActionForm, OwnPasswordInput, useAction, useFields } from '../parts/action.tsx';
import { CopyButton } from '../parts/code-block.tsx';
import { SecretText } from '../parts/secret-reveal.tsx';
import { words } from '../strings.ts';
import { QrCode } from './qr-code.tsx';

interface Enrolment {
  readonly secret: string;
  readonly otpauth_uri: string;
}

export function SetUp({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ password: '' });
  const start = useAction(() => post<Enrolment>('/panel/second-factor', values), {
    quiet: true,
    refresh: [],
  });
  if (start.data) return <Scan enrolment={start.data} onClose={onClose} />;
  return (
    <ActionForm action={start} submit={words.factor.next} button={{ fullWidth: true }}>
      <OwnPasswordInput {...field('password')} />
    </ActionForm>
  );
}

function Scan({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const { values, field } = useFields({ code: '' });
  const confirm = useAction(
    () => {
      const code = values.code.trim();
      return post<{ recovery_codes: string[] }>('/panel/second-factor/confirm', { code });
    },
    { quiet: true, refresh: [] },
  );
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={onClose} />;
  return (
    <ActionForm action={confirm} submit={words.factor.confirm} button={{ fullWidth: true }}>
      <Text size="sm">{words.factor.scan}</Text>
      <Center>
        <QrCode text={enrolment.otpauth_uri} label={words.factor.qr} />
      </Center>
      <SecretText secret={enrolment.secret} label={words.factor.secret} />
      <TextInput
        label={words.signIn.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        {...field('code')}
      />
    </ActionForm>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const client = useQueryClient();
  const leave = () => {
    onClose();
    // The data of the person is refetched only after the dialog is closed. An earlier refetch would replace
    // this dialog while it shows the recovery codes.
    void client.invalidateQueries({ queryKey: meKey });
  };
  return (
    <Stack>
      <Text fw={600}>{words.factor.codes}</Text>
      <Text size="sm">{words.factor.codesText}</Text>
      <pre className="cf-code">{codes.join('\n')}</pre>
      <CopyButton value={codes.join('\n')} size="sm" />
      <Button onClick={leave}>{words.factor.kept}</Button>
    </Stack>
  );
}
