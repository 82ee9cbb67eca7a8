// Reads players into memory behind the start, so that a large store is soon as quick as a small one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { listApproved } from '../packages/queries.ts';
import type { AccountFinder } from './find-account.ts';
import { selectAccountsAfter } from './queries.ts';

/** A page takes two or three milliseconds of the one thread; the pause behind it belongs to callers. */
const pageSize = 1000;
const pauseMs = 5;
const maxPackages = 1000;
/** A database that is away for a while is asked for the same page again. */
const maxFailures = 60;
const againMs = 5000;
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
  // Counted apart from what is remembered, which may be forgotten all the time behind a pooler.
  const run = { left: Math.floor(deps.accounts.maxEntries * maxPart), players: 0 };
  for (const { id: packageId } of await listApproved(deps.db, maxPackages)) {
    await deps.ledger.readHead(packageId);
    await readPackage(deps, packageId, run, signal);
    if (signal.aborted) return;
  }
  const { players } = run;
  const tookMs = Math.round(performance.now() - startedAt);
  deps.logger.info({ players, tookMs }, 'players read ahead');
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
    const room = Math.floor(accounts.maxEntries * maxPart) - accounts.size();
    const limit = Math.min(pageSize, run.left, room);
    if (limit <= 0) return;
    const wanted: Parameters<typeof selectAccountsAfter>[1] = { packageId, after, limit };
    try {
      const found = await accounts.learn(packageId, () => selectAccountsAfter(db, wanted));
      run.left -= found.length;
      run.players += found.length;
      after = found.length < limit ? undefined : found.at(-1)?.id;
      failures = 0;
    } catch (error) {
      if (++failures >= maxFailures) throw error;
      logger.debug({ err: error }, 'players are read ahead again');
    }
    await sleep(failures === 0 ? pauseMs : againMs, undefined, { signal }).catch(() => {});
  }
}
