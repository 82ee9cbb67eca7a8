// Stands over the page when the session has ended: the page waits beneath, unseen, with what was typed.
import { Anchor, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { meKey } from '../api/me.ts';
import { sharedPaths } from '../shared-paths.ts';
import { words } from '../strings.ts';
import { BarePage } from './bare-page.tsx';
import { useLockedFor } from './session-lock.ts';
import { SignInForm } from './sign-in-form.tsx';

export function LockScreen() {
  const email = useLockedFor();
  return email === undefined ? null : createPortal(<Locked email={email} />, document.body);
}

/** Whoever stands before the screen now need not be who read the page: nothing of it is shown. */
function useHiddenPage(): void {
  // Noted while drawing: when the page is hidden, what had the focus has lost it.
  const focused = useRef(document.activeElement);
  useLayoutEffect(() => {
    const back = focused.current;
    document.body.dataset.locked = 'true';
    return () => {
      delete document.body.dataset.locked;
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
}

function Locked({ email }: { email: string }) {
  const [asksCode, setAsksCode] = useState(false);
  const client = useQueryClient();
  useHiddenPage();
  const title = asksCode ? words.signIn.codeTitle : words.lock.title;
  return (
    <div
      className="cf-lock"
      role="dialog"
      aria-modal="true"
      aria-label={title}
      // A dialog that waits beneath would keep the focus to itself.
      onKeyDown={(event) => event.nativeEvent.stopPropagation()}
    >
      <BarePage title={title} text={asksCode ? words.signIn.codeText : words.lock.text}>
        <SignInForm
          email={email}
          onStep={setAsksCode}
          // Who came decides what becomes of the page; that is seen where people are told apart.
          onSignedIn={() => client.refetchQueries({ queryKey: meKey })}
        />
        <Text size="xs" ta="center">
          <Anchor href={sharedPaths.signIn} size="xs" data-mantine-stop-propagation="true">
            {words.lock.leave}
          </Anchor>
        </Text>
      </BarePage>
    </div>
  );
}
