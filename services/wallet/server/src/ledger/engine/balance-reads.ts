// Serves balance reads from the cache after a batch commit has proven that the cache is current. This saves
// one query per read.
import { creditAccount } from '../rules/movement.ts';
import type { LedgerCache } from './cache.ts';

/**
 * A player's balance, the time at which the balance last changed, and the package's credit. Both amounts are
 * from the same moment.
 */
export interface BalanceRead {
  readonly balance: bigint;
  readonly updatedAt: Date;
  readonly credit: bigint;
}

interface Request {
  readonly packageId: number;
  readonly account: bigint;
  readonly since: number;
  readonly resolve: (read: BalanceRead | undefined) => void;
}

export interface BalanceReads {
  /**
   * Requests a balance, which is read from the cache after the commit of a batch. The result is undefined if
   * no batch can serve the read. The caller then queries the database.
   */
  request(packageId: number, account: bigint): Promise<BalanceRead | undefined> | undefined;
  /** Assigns the waiting requests to the batch that is about to be sent. */
  startBatch(): void;
  /**
   * Called after the commit of a batch of the package. Answers the requests of the package that were assigned
   * to the batch. The commit proves that the cached balances are current. The cached players are current only
   * if `playersVersion` has not changed for `settleMs`. If it has changed, or if the account is not cached,
   * the requests get undefined.
   */
  serve(packageId: number, playersVersion: string): void;
  /** Answers with undefined all requests that the batch did not serve. */
  endBatch(): void;
  /** Answers with undefined all requests that were made before `beforeMs`. */
  giveUp(beforeMs: number): void;
}

/**
 * The maximum number of waiting requests. Above this number, callers read their balances from the database,
 * where they share one query.
 */
const maxRequests = 1024;
/**
 * The maximum number of packages whose `players_version` is kept in memory. A map of this size is cleared.
 * This is rare, because one process seldom writes for 10,000 packages.
 */
const maxVersions = 10_000;

/**
 * At the latest after `settleMs`, a process knows that a player has changed. The notification normally
 * arrives at once. A lost notification is noticed when its connection is checked.
 */
export function createBalanceReads(cache: LedgerCache, settleMs: number): BalanceReads {
  const versions = new Map<number, { version: string; since: number }>();
  const isSettled = (packageId: number): boolean => {
    const seen = versions.get(packageId);
    return settleMs === 0 || (!!seen && performance.now() - seen.since >= settleMs);
  };
  const recordVersion = (packageId: number, version: string) => {
    if (versions.get(packageId)?.version === version) return;
    if (versions.size >= maxVersions) versions.clear();
    versions.set(packageId, { version, since: performance.now() });
  };
  let waiting: Request[] = [];
  /** The requests that are answered when the current batch is committed. */
  let sent: Request[] = [];
  const resolveUnserved = (requests: readonly Request[]) => {
    for (const { resolve } of requests) resolve(undefined);
  };
  const withoutOlder = (requests: readonly Request[], beforeMs: number) => {
    resolveUnserved(requests.filter(({ since }) => since < beforeMs));
    return requests.filter(({ since }) => since >= beforeMs);
  };
  return {
    request: (packageId, account) => {
      if (waiting.length >= maxRequests || !isSettled(packageId)) return undefined;
      return new Promise((resolve) => {
        waiting.push({ packageId, account, since: performance.now(), resolve });
      });
    },
    startBatch: () => {
      sent.push(...waiting);
      waiting = [];
    },
    serve: (packageId, playersVersion) => {
      recordVersion(packageId, playersVersion);
      if (sent.length === 0) return;
      const accounts = isSettled(packageId) ? cache.packages.get(packageId)?.accounts : undefined;
      const credit = accounts?.get(creditAccount)?.balance;
      for (const { account, resolve } of sent.filter((each) => each.packageId === packageId)) {
        const balance = accounts?.get(account)?.balance;
        if (!accounts || balance === undefined || credit === undefined) resolve(undefined);
        else resolve({ balance, credit, updatedAt: new Date(accounts.getTime(account)) });
      }
      sent = sent.filter((each) => each.packageId !== packageId);
    },
    endBatch: () => {
      resolveUnserved(sent);
      sent = [];
    },
    giveUp: (beforeMs) => {
      waiting = withoutOlder(waiting, beforeMs);
      sent = withoutOlder(sent, beforeMs);
    },
  };
}
