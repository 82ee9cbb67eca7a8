// The page of a person's own account: password, second factor and sessions.
import { PasswordInput, Stack } from '@mantine/core';
import { post } from '../api/request.ts';
import { ActionForm, useAction, useFields } from '../parts/action.tsx';
import { PageHeader, Surface } from '../parts/page.tsx';
import { words } from '../strings.ts';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export default function AccountPage() {
  return (
    <>
      <PageHeader title={words.account.title} text={words.account.text} />
      <Stack gap="lg" maw={820}>
        <PasswordForm />
        <SecondFactor />
        <Sessions />
      </Stack>
    </>
  );
}

const blank = { current_password: '', new_password: '' };

function PasswordForm() {
  const { values, setValues, field } = useFields(blank);
  const action = useAction(() => post('/panel/password', values), {
    done: words.account.changed,
    quiet: true,
    refresh: ['sessions'],
    onDone: () => setValues(blank),
  });
  return (
    <Surface title={words.signIn.password} text={words.account.passwordText}>
      <ActionForm action={action} maw={380} submit={words.account.change}>
        <PasswordInput
          label={words.account.current}
          autoComplete="current-password"
          required
          {...field('current_password')}
        />
        <PasswordInput
          label={words.account.wanted}
          autoComplete="new-password"
          required
          {...field('new_password', action.error, 'password')}
        />
      </ActionForm>
    </Surface>
  );
}
