// Balances told with a batch: its commit proves what memory holds, and a query of their own is spared.

import { creditAccount } from '../rules/movement.ts';
import type { LedgerMemory } from './memory.ts';

/** What a player has and since when, and the package's credit of the same moment. */
export interface ToldBalance {
  readonly balance: bigint;
  readonly updatedAt: Date;
  readonly credit: bigint;
}

interface Asked {
  readonly packageId: number;
  readonly account: bigint;
  readonly since: number;
  readonly resolve: (told: ToldBalance | undefined) => void;
}

export interface ToldBalances {
  /** Undefined where no batch could tell it, later or at once: then the database is to be asked. */
  ask(packageId: number, account: bigint): Promise<ToldBalance | undefined> | undefined;
  /** Who has asked by now is told by the batch that is about to be sent, and by none before it. */
  begin(): void;
  /**
   * This package was written just now, so memory stands where the database does. What is remembered of
   * its players elsewhere does too, if no other version of them was seen for a while.
   */
  tell(packageId: number, playersVersion: string): void;
  /** The batch is over: whom it could not tell is to ask elsewhere. */
  end(): void;
  /** So does who has waited since before then. */
  giveUp(before: number): void;
}

/** More than this at a time ask the database, where they share a query. */
const maxAsked = 1024;
/** As many packages as a process is likely to write for; with more, it starts over. */
const maxVersions = 10_000;

/**
 * `settleMs` is how long the word of a changed player may take, at most: it comes in a moment, over a
 * connection that is asked every two seconds whether it still stands.
 */
export function createToldBalances(memory: LedgerMemory, settleMs: number): ToldBalances {
  const versions = new Map<number, { version: string; since: number }>();
  const isSettled = (packageId: number): boolean => {
    const seen = versions.get(packageId);
    return settleMs === 0 || (!!seen && performance.now() - seen.since >= settleMs);
  };
  const see = (packageId: number, version: string) => {
    if (versions.get(packageId)?.version === version) return;
    if (versions.size >= maxVersions) versions.clear();
    versions.set(packageId, { version, since: performance.now() });
  };
  let waiting: Asked[] = [];
  let sent: Asked[] = [];
  const giveUp = (asked: readonly Asked[]) => {
    for (const { resolve } of asked) resolve(undefined);
  };
  const keepSince = (asked: readonly Asked[], before: number) => {
    giveUp(asked.filter(({ since }) => since < before));
    return asked.filter(({ since }) => since >= before);
  };
  return {
    ask: (packageId, account) => {
      if (waiting.length >= maxAsked || !isSettled(packageId)) return undefined;
      return new Promise((resolve) => {
        waiting.push({ packageId, account, since: performance.now(), resolve });
      });
    },
    begin: () => {
      sent.push(...waiting);
      waiting = [];
    },
    tell: (packageId, playersVersion) => {
      see(packageId, playersVersion);
      if (sent.length === 0) return;
      const accounts = isSettled(packageId) ? memory.packages.get(packageId)?.accounts : undefined;
      const credit = accounts?.get(creditAccount)?.balance;
      for (const { account, resolve } of sent.filter((asked) => asked.packageId === packageId)) {
        const balance = accounts?.get(account)?.balance;
        if (!accounts || balance === undefined || credit === undefined) resolve(undefined);
        else resolve({ balance, credit, updatedAt: new Date(accounts.getTime(account)) });
      }
      sent = sent.filter((asked) => asked.packageId !== packageId);
    },
    end: () => {
      giveUp(sent);
      sent = [];
    },
    giveUp: (before) => {
      waiting = keepSince(waiting, before);
      sent = keepSince(sent, before);
    },
  };
}
