// The event stream of a package's live figures, open while the page is shown.
import { meKey } from '@counterfoil/ui/api/me.ts';
import { useLockedFor } from '@counterfoil/ui/sign-in/session-lock.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Figures } from '../wire.ts';

export type LiveState = 'waiting' | 'live' | 'lost';

/** The browser reconnects a broken stream. After the end of a session, signing in opens a new stream. */
export function useLive(base: string): { figures: Figures | undefined; state: LiveState } {
  const [figures, setFigures] = useState<Figures>();
  const [state, setState] = useState<LiveState>('waiting');
  const client = useQueryClient();
  const isLocked = useLockedFor() !== undefined;
  useEffect(() => {
    if (isLocked) return;
    const source = new EventSource(`${base}/live`);
    source.onmessage = (event: MessageEvent<string>) => {
      setFigures(JSON.parse(event.data) as Figures);
      setState('live');
    };
    source.onerror = () => setState('lost');
    source.addEventListener('ended', () => {
      source.close();
      setState('lost');
      void client.refetchQueries({ queryKey: meKey });
    });
    return () => source.close();
  }, [base, client, isLocked]);
  return { figures, state };
}
