// Signing in, and then on to where one wanted to be.
import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useGo } from '../parts/use-go.ts';
import { words } from '../strings.ts';
import { BarePage } from './bare-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Only back into this panel: an address that leads elsewhere is not followed. */
const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/(?![/\\])/.test(path);

export default function SignInPage() {
  const [asksCode, setAsksCode] = useState(false);
  const { to } = useSearch({ strict: false }) as { to?: string };
  const client = useQueryClient();
  const go = useGo();
  return (
    <BarePage
      title={asksCode ? words.signIn.codeTitle : words.signIn.title}
      {...(asksCode && { text: words.signIn.codeText })}
      {...(!asksCode && isOwnPath(to) && { text: words.signIn.goOn })}
    >
      <SignInForm
        onStep={setAsksCode}
        onSignedIn={() => {
          client.clear();
          go(isOwnPath(to) ? to : '/', { replace: true });
        }}
      />
    </BarePage>
  );
}
