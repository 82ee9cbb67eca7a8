// Balances told with a batch: its commit proves what memory holds, and a query of their own is spared.
import type { LedgerMemory } from './memory.ts';
import { creditAccount } from './movement.ts';

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
  /** Undefined where no batch could tell it: then the database is to be asked. */
  ask(packageId: number, account: bigint): Promise<ToldBalance | undefined>;
  /** Who has asked by now is told by the batch that is about to be sent, and by none before it. */
  begin(): void;
  /** This package was written just now, so memory stands where the database does. */
  tell(packageId: number): void;
  /** The batch is over: whom it could not tell is to ask elsewhere. */
  end(): void;
  /** So does who has waited since before then. */
  giveUp(before: number): void;
}

/** More than this at a time ask the database, where they share a query. */
const maxAsked = 1024;

export function createToldBalances(memory: LedgerMemory): ToldBalances {
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
    ask: (packageId, account) =>
      new Promise((resolve) => {
        if (waiting.length >= maxAsked) resolve(undefined);
        else waiting.push({ packageId, account, since: performance.now(), resolve });
      }),
    begin: () => {
      sent.push(...waiting);
      waiting = [];
    },
    tell: (packageId) => {
      if (sent.length === 0) return;
      const accounts = memory.packages.get(packageId)?.accounts;
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
