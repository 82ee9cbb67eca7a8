// Loads players into memory after the start, so that calls need no look-ups even in a large database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { findHead } from '../ledger/queries.ts';
import { promoAccountOf } from '../ledger/rules/movement.ts';
import { listApproved } from '../packages/queries.ts';
import type { AccountFinder } from './find-account.ts';
import { selectLastMoved, selectNewestPlayers } from './queries.ts';

/**
 * The number of players per page. A page takes 2 to 3 ms of the main thread. Requests are served in the pause
 * after each page.
 */
const defaultPageSize = 1000;
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
/** A number above the numbers of all cash accounts. */
const afterAllPlayers = promoAccountOf(0n);

export interface ReadAheadDeps {
  readonly db: Db;
  readonly ledger: Pick<Ledger, 'readHead'>;
  readonly accounts: AccountFinder;
  readonly logger: Logger;
  readonly pageSize?: number;
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

/** A package whose players are loaded, beginning with the player who moved last. */
interface Source {
  readonly packageId: number;
  /** The last sequence of the journal that is not read yet. */
  upTo: bigint;
  /** The time of the last movement of the player who was loaded last. */
  loadedUntil: number;
}

interface Run {
  readonly pageSize: number;
  /**
   * The number of players that may still be loaded. It does not depend on the size of the cache. With a
   * connection pooler the cache may be cleared repeatedly, so its size might never reach the limit.
   */
  left: number;
  players: number;
}

/**
 * Loads the players who moved last, from the ends of the journals backwards. The next page is read from the
 * package whose last page ended latest, so players of all packages are loaded in the order of their last
 * movements. After as many movements as players may be loaded, the rest of the room is filled with the newest
 * players: most of the older movements belong to players who are loaded already.
 */
export async function readAhead(deps: ReadAheadDeps, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const limit = Math.floor(deps.accounts.maxEntries * maxShare);
  const run: Run = { pageSize: deps.pageSize ?? defaultPageSize, left: limit, players: 0 };
  const sources: Source[] = [];
  for (const { id: packageId } of await listApproved(deps.db, maxPackages)) {
    await deps.ledger.readHead(packageId);
    const upTo = await findHead(deps.db, packageId);
    sources.push({ packageId, upTo, loadedUntil: Number.POSITIVE_INFINITY });
  }
  for (let movements = 0; movements < limit; movements += run.pageSize) {
    const source = findLatest(sources);
    if (!source || run.left <= 0 || signal.aborted) break;
    await readMoved(deps, source, run, signal);
  }
  for (const source of sources) await readNewest(deps, source, run, signal);
  if (signal.aborted) return;
  const { players } = run;
  const tookMs = Math.round(performance.now() - startedAt);
  deps.logger.info({ players, tookMs }, 'players loaded into memory');
}

function findLatest(sources: readonly Source[]): Source | undefined {
  let latest: Source | undefined;
  for (const source of sources) {
    if (source.upTo > 0n && source.loadedUntil > (latest?.loadedUntil ?? -1)) latest = source;
  }
  return latest;
}

/** Loads the players whose last movement is in the next page of the journal. */
async function readMoved(deps: ReadAheadDeps, source: Source, run: Run, signal: AbortSignal): Promise<void> {
  const { packageId, upTo } = source;
  // A page has at most as many players as movements.
  const rows = BigInt(Math.min(run.pageSize, run.left));
  const after = upTo > rows ? upTo - rows : 0n;
  const found = await loadPage(deps, signal, () =>
    deps.accounts.load(packageId, () => selectLastMoved(deps.db, { packageId, after, upTo })),
  );
  if (!found) return;
  source.upTo = after;
  source.loadedUntil = found.at(-1)?.updatedAt.getTime() ?? source.loadedUntil;
  run.left -= found.length;
  run.players += found.length;
}

/** Loads the other players of a package, beginning with the newest player. */
async function readNewest(deps: ReadAheadDeps, source: Source, run: Run, signal: AbortSignal): Promise<void> {
  const { packageId, upTo: movedUpTo } = source;
  let before: bigint | undefined = afterAllPlayers;
  while (before !== undefined && run.left > 0 && !signal.aborted) {
    const wanted = { packageId, before, movedUpTo, limit: Math.min(run.pageSize, run.left) };
    const found = await loadPage(deps, signal, () =>
      deps.accounts.load(packageId, async () => {
        const read = await selectNewestPlayers(deps.db, wanted);
        before = read.next;
        return read;
      }),
    );
    run.left -= found?.length ?? 0;
    run.players += found?.length ?? 0;
  }
}

/**
 * Loads a page and pauses. Repeats the page while the database is unavailable. Returns undefined if the
 * read-ahead was stopped.
 */
async function loadPage<Page>(
  { logger }: ReadAheadDeps,
  signal: AbortSignal,
  load: () => Promise<Page>,
): Promise<Page | undefined> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const page = await load();
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      return page;
    } catch (error) {
      if (++failures >= maxFailures) throw error;
      logger.debug({ err: error }, 'loading players into memory is retried');
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}
