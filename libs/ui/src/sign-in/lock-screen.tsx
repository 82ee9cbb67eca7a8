// Covers the page when the session has ended. The hidden page keeps the text in its inputs.
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

/** Hides the page, because another person may be at the screen now. */
function useHiddenPage(): void {
  // The focused element is read during rendering, because hiding the page removes the focus.
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
      // A dialog may be open on the hidden page. Without this line, the dialog would handle the pressed key
      // and move the focus.
      onKeyDown={(event) => event.nativeEvent.stopPropagation()}
    >
      <BarePage title={title} text={asksCode ? words.signIn.codeText : words.lock.text}>
        <SignInForm
          email={email}
          onStep={setAsksCode}
          // After this refetch, `watchSession` compares the new person with the previous person. If both are
          // the same person, it unlocks the page; otherwise it discards the page.
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
