// Signing in: e-mail and password, then the code where the person has a second factor.
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, describeProblem } from '../api/problem.ts';
import { post } from '../api/request.ts';
import { useAction } from '../api/use-action.ts';
import { useFields } from '../parts/use-fields.ts';
import { useGo } from '../parts/use-go.ts';
import { words } from '../strings.ts';
import { BarePage } from './bare-page.tsx';

/** Only back into this panel: an address that leads elsewhere is not followed. */
const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/(?![/\\])/.test(path);

const isCode = (error: unknown, code: string) => error instanceof ApiProblem && error.code === code;

export default function SignInPage() {
  const { values, set, field } = useFields({ email: '', password: '', code: '' });
  const [asksCode, setAsksCode] = useState(false);
  const { to } = useSearch({ strict: false }) as { to?: string };
  const client = useQueryClient();
  const go = useGo();
  const action = useAction(
    async () => {
      const { email, password, code } = values;
      try {
        await post('/panel/session', { email, password, ...(asksCode && { code: code.trim() }) });
      } catch (error) {
        if (!isCode(error, 'second_factor_required')) throw error;
        setAsksCode(true);
        return;
      }
      client.clear();
      go(isOwnPath(to) ? to : '/', { replace: true });
    },
    { quiet: true, refresh: [] },
  );
  const startOver = () => {
    setAsksCode(false);
    set('password', '');
    set('code', '');
    action.reset();
  };
  return (
    <BarePage
      title={asksCode ? words.signIn.codeTitle : words.signIn.title}
      {...(asksCode && { text: words.signIn.codeText })}
      {...(!asksCode && isOwnPath(to) && { text: words.signIn.goOn })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate();
        }}
      >
        <Stack>
          {action.isError && <Alert color="red">{describeProblem(action.error)}</Alert>}
          {asksCode ? (
            <TextInput
              key="code"
              label={words.signIn.code}
              autoComplete="one-time-code"
              autoFocus
              required
              {...field('code')}
            />
          ) : (
            <>
              <TextInput
                label={words.signIn.email}
                type="email"
                autoComplete="username"
                autoFocus
                required
                {...field('email')}
              />
              <PasswordInput
                label={words.signIn.password}
                autoComplete="current-password"
                required
                {...field('password')}
              />
            </>
          )}
          <Button type="submit" fullWidth loading={action.isPending}>
            {asksCode ? words.signIn.verify : words.signIn.submit}
          </Button>
          {asksCode ? (
            <Button variant="subtle" onClick={startOver}>
              {words.signIn.back}
            </Button>
          ) : (
            <Text size="xs" c="dimmed" ta="center">
              {words.signIn.lost}
            </Text>
          )}
        </Stack>
      </form>
    </BarePage>
  );
}
