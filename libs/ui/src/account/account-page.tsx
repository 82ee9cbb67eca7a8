// One's own account: password, second factor, sessions.
import { Stack } from '@mantine/core';
import { PageHeader } from '../parts/page-header.tsx';
import { words } from '../strings.ts';
import { PasswordForm } from './password-form.tsx';
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
