// Reads players into memory behind the start, so that a large store is soon as quick as a small one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@counterfoil/kit/db';
import type { Logger } from '@counterfoil/kit/logging';
import { selectApprovedIds } from '../customer-packages/store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AccountFinder } from './find-account.ts';
import { selectAccountsBehind } from './store.ts';

/** A page takes two or three milliseconds of the one thread; the pause behind it belongs to callers. */
const pageSize = 1000;
const pauseMs = 5;
const maxPackages = 1000;
/** Of what can be remembered; the rest is for players that come. */
const maxPart = 0.9;

export interface ReadAheadDeps {
  readonly db: Db;
  readonly ledger: Pick<Ledger, 'readHead'>;
  readonly accounts: AccountFinder;
  readonly logger: Logger;
}

/** Nobody waits for it: whoever comes before it is looked up by itself. */
export function readAheadLater(deps: ReadAheadDeps, delayMs = 3000): { stop(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const run = sleep(delayMs, undefined, { signal, ref: false })
    .then(() => readAhead(deps, signal))
    .catch((error: unknown) => {
      if (!signal.aborted) deps.logger.warn({ err: error }, 'players were not all read ahead');
    });
  return {
    stop: async () => {
      ending.abort();
      await run;
    },
  };
}

export async function readAhead(deps: ReadAheadDeps, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  let players = 0;
  for (const packageId of await selectApprovedIds(deps.db, maxPackages)) {
    await deps.ledger.readHead(packageId);
    players += await readPackage(deps, packageId, signal);
    if (signal.aborted) return;
  }
  const tookMs = Math.round(performance.now() - startedAt);
  deps.logger.info({ players, tookMs }, 'players read ahead');
}

async function readPackage(
  { db, accounts }: ReadAheadDeps,
  packageId: number,
  signal: AbortSignal,
): Promise<number> {
  let players = 0;
  let after: bigint | undefined = 0n;
  while (after !== undefined && !signal.aborted) {
    const limit = Math.min(pageSize, Math.floor(accounts.maxEntries * maxPart) - accounts.size());
    if (limit <= 0) break;
    const wanted: Parameters<typeof selectAccountsBehind>[1] = { packageId, after, limit };
    const found = await accounts.learn(packageId, () => selectAccountsBehind(db, wanted));
    players += found.length;
    after = found.length < limit ? undefined : found.at(-1)?.id;
    await sleep(pauseMs);
  }
  return players;
}
