// Waits until a service has read its players into memory, as it does by itself behind its start.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Field } from './load-target.ts';

export const metricsToken = 'bench-metrics-token-0123456789abcdef';
const withinMs = 180_000;

/** How many seconds it took from now. */
export async function awaitPlayers({ service, store }: Field): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const tookMs = performance.now() - startedAt;
    if ((await countPlayers(service.url)) >= store.players) return tookMs / 1000;
    if (tookMs > withinMs) throw new Error('the players were not read in time');
    await sleep(200);
  }
}

async function countPlayers(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const answer = await fetch(`${url}/metrics`, { headers });
  const found = /^\w*players_in_memory(?:\{\S*\})? (\d+)/m.exec(await answer.text());
  if (!found) throw new Error(`no players among the metrics (${answer.status})`);
  return Number(found[1]);
}
