// Waits until a service has finished all requests that reached it.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import type { Target } from './target.ts';

/** Counts requests from now on. The returned function waits until no request and no query runs. */
export function watchIdle({ server, db }: Pick<Target, 'server' | 'db'>): () => Promise<void> {
  let open = 0;
  server.prependListener('request', (_request, response) => {
    open++;
    response.once('close', () => open--);
  });
  return () =>
    eventually(() => {
      const { total, idle, waiting } = db.connections();
      expect({ open, busy: total - idle, waiting }).toEqual({ open: 0, busy: 0, waiting: 0 });
    });
}
