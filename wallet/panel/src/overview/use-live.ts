// The stream of a package's live figures: open while it is looked at, closed when one leaves.
import { useEffect, useState } from 'react';
import type { Figures } from '../wire.ts';

export type LiveState = 'waiting' | 'live' | 'lost';

/** The browser opens a broken stream again by itself; an ended session does not come back. */
export function useLive(base: string): { figures: Figures | undefined; state: LiveState } {
  const [figures, setFigures] = useState<Figures>();
  const [state, setState] = useState<LiveState>('waiting');
  useEffect(() => {
    const source = new EventSource(`${base}/live`);
    source.onmessage = (event: MessageEvent<string>) => {
      setFigures(JSON.parse(event.data) as Figures);
      setState('live');
    };
    source.onerror = () => setState('lost');
    source.addEventListener('ended', () => {
      source.close();
      setState('lost');
    });
    return () => source.close();
  }, [base]);
  return { figures, state };
}
