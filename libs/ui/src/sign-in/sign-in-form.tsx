// The sign-in form of the lock screen: e-mail and password, then the code of the second factor if it is on.
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { post } from '../api/request.ts';
import { ActionForm, useAction, useFields } from '../parts/action.tsx';
import { sharedPaths } from '../shared-paths.ts';
import { words } from '../strings.ts';

/** Stops the Escape key from closing a dialog under the lock screen. Mantine checks this attribute. */
const notForDialogs = { 'data-mantine-stop-propagation': 'true' };

interface SignInFormProps {
  /** The e-mail that the form already contains. */
  readonly email: string;
  readonly onSignedIn: () => unknown;
  /** Called when the form switches between password and code. */
  readonly onStep: (asksCode: boolean) => void;
}

export function SignInForm(props: SignInFormProps) {
  const { values, set, field } = useFields({ email: props.email, password: '', code: '' });
  const [asksCode, setAsksCode] = useState(false);
  const turnTo = (step: boolean) => {
    setAsksCode(step);
    props.onStep(step);
  };
  const action = useAction(
    async () => {
      const { email, password, code } = values;
      try {
        await post('/panel/session', { email, password, ...(asksCode && { code: code.trim() }) });
      } catch (error) {
        if (!isProblem(error, 'second_factor_required')) throw error;
        turnTo(true);
        return;
      }
      await props.onSignedIn();
    },
    { quiet: true, refresh: [] },
  );
  const startOver = () => {
    turnTo(false);
    set('password', '');
    set('code', '');
    action.reset();
  };
  return (
    <ActionForm action={action}>
      {asksCode ? (
        <TextInput
          key="code"
          label={words.signIn.code}
          autoComplete="one-time-code"
          autoFocus
          required
          {...notForDialogs}
          {...field('code')}
        />
      ) : (
        <Credentials field={field} />
      )}
      <Button type="submit" fullWidth loading={action.isPending} {...notForDialogs}>
        {asksCode ? words.signIn.verify : words.signIn.title}
      </Button>
      {asksCode ? (
        <Button variant="subtle" onClick={startOver} {...notForDialogs}>
          {words.signIn.back}
        </Button>
      ) : (
        <Anchor href={sharedPaths.signIn} ta="center" size="sm" {...notForDialogs}>
          {words.signIn.lost}
        </Anchor>
      )}
    </ActionForm>
  );
}

function Credentials(props: { field: (name: 'email' | 'password') => object }) {
  return (
    <>
      <TextInput
        label={words.signIn.email}
        type="email"
        autoComplete="username"
        required
        {...notForDialogs}
        {...props.field('email')}
      />
      <PasswordInput
        label={words.signIn.password}
        autoComplete="current-password"
        autoFocus
        required
        {...notForDialogs}
        {...props.field('password')}
      />
    </>
  );
}
