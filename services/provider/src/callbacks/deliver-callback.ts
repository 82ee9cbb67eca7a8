// Delivers a callback while a player waits: a few attempts with growing waits, then an honest word.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Callback, Verdict } from './callback.ts';
import type { SendCallback } from './send-callback.ts';

export interface Delivered {
  readonly verdict: Verdict;
  /** Whether an attempt stayed without an answer, so that it may have been applied. */
  readonly wasUnknown: boolean;
}

export async function deliverCallback(
  send: SendCallback,
  callback: Callback,
  waitsMs: readonly number[],
): Promise<Delivered> {
  let wasUnknown = false;
  for (let attempt = 1; ; attempt++) {
    const verdict = await send(callback, attempt);
    const waitMs = waitsMs[attempt - 1];
    if (verdict.kind !== 'unknown' || waitMs === undefined) return { verdict, wasUnknown };
    wasUnknown = true;
    await sleep(waitMs);
  }
}
