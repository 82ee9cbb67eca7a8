// Loads players into memory after the start, so that calls need no look-ups even in a large database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { listApproved } from '../packages/queries.ts';
import type { AccountFinder } from './find-account.ts';
import { selectAccountsAfter } from './queries.ts';

/**
 * The number of players per page. A page takes 2 to 3 ms of the main thread. Requests are served in the pause
 * after each page.
 */
const pageSize = 1000;
const pauseMs = 5;
const maxPackages = 1000;
/**
 * The number of times that a page is read again while the database is unavailable. `retryMs` is the pause
 * before each repeat.
 */
const maxFailures = 60;
const retryMs = 5000;
/** The share of the cache that is filled. The rest is for players that are looked up later. */
const maxShare = 0.9;

export interface ReadAheadDeps {
  readonly db: Db;
  readonly ledger: Pick<Ledger, 'readHead'>;
  readonly accounts: AccountFinder;
  readonly logger: Logger;
}

/**
 * Starts loading after a delay, in the background. A player that is not loaded yet is looked up on demand.
 */
export function readAheadLater(deps: ReadAheadDeps, delayMs = 3000): { stop(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const run = sleep(delayMs, undefined, { signal, ref: false })
    .then(() => readAhead(deps, signal))
    .catch((error: unknown) => {
      if (!signal.aborted) deps.logger.warn({ err: error }, 'not all players were loaded into memory');
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
  // The limit counts the players that were loaded, not the size of the cache. With a connection pooler the
  // cache may be cleared repeatedly, so its size might never reach the limit.
  const run = { left: Math.floor(deps.accounts.maxEntries * maxShare), players: 0 };
  for (const { id: packageId } of await listApproved(deps.db, maxPackages)) {
    await deps.ledger.readHead(packageId);
    await readPackage(deps, packageId, run, signal);
    if (signal.aborted) return;
  }
  const { players } = run;
  const tookMs = Math.round(performance.now() - startedAt);
  deps.logger.info({ players, tookMs }, 'players loaded into memory');
}

async function readPackage(
  { db, accounts, logger }: ReadAheadDeps,
  packageId: number,
  run: { left: number; players: number },
  signal: AbortSignal,
): Promise<void> {
  let after: bigint | undefined = 0n;
  let failures = 0;
  while (after !== undefined && !signal.aborted) {
    const capacity = Math.floor(accounts.maxEntries * maxShare) - accounts.size();
    const limit = Math.min(pageSize, run.left, capacity);
    if (limit <= 0) return;
    const wanted: Parameters<typeof selectAccountsAfter>[1] = { packageId, after, limit };
    try {
      const found = await accounts.load(packageId, () => selectAccountsAfter(db, wanted));
      run.left -= found.length;
      run.players += found.length;
      after = found.length < limit ? undefined : found.at(-1)?.id;
      failures = 0;
    } catch (error) {
      if (++failures >= maxFailures) throw error;
      logger.debug({ err: error }, 'loading players into memory is retried');
    }
    await sleep(failures === 0 ? pauseMs : retryMs, undefined, { signal }).catch(() => {});
  }
}
