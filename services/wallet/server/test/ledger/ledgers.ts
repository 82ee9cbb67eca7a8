// Opens several ledgers on one database, as in several processes, and builds orders for them.
import { randomBytes } from 'node:crypto';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { createTestDatabase } from '@counterfoil/kit/testing/databases';
import {
  createLedger,
  type Ledger,
  LedgerFailure,
  type LedgerOptions,
  type Order,
  type Receipt,
} from '@counterfoil/wallet-server/ledger/engine/ledger';
import { openLedgerDb } from '@counterfoil/wallet-server/ledger/open-ledger-db';
import { hashId, hashNote } from '@counterfoil/wallet-server/ledger/rules/ids';
import { topUp } from '@counterfoil/wallet-server/ledger/transfer';
import { createPackage } from '@counterfoil/wallet-server/packages/credentials/issue-package';
import { createPlayer } from '@counterfoil/wallet-server/players/create-player';
import { inject } from 'vitest';

export interface Ledgers {
  readonly url: string;
  readonly db: Db;
  /** Opens connections with the settings of a ledger. `close` closes them. */
  connect(options?: { onePackage?: boolean; lockTimeoutMs?: number }): Db;
  /** Opens a ledger with separate connections, cache and queue, as in another process. */
  open(options?: Omit<LedgerOptions, 'db'>): Ledger;
  package(funds?: bigint): Promise<number>;
  player(packageId: number): Promise<bigint>;
  /** Creates a player in a new package whose credit is 1,000,000. */
  account(): Promise<{ packageId: number; account: bigint }>;
  balance(packageId: number, account: bigint): Promise<bigint>;
  countRows(packageId: number): Promise<number>;
  close(): Promise<void>;
}

let counter = 0;

export async function openLedgers(): Promise<Ledgers> {
  const database = await createTestDatabase(inject('testServer'), 'wallet');
  const db = openDb({ url: database.url, applicationName: 'ledger test' });
  const { logger } = captureLog('wallet');
  const masterKey = parseMasterKey(randomBytes(32).toString('base64'));
  const opened: Db[] = [];
  const connect: Ledgers['connect'] = (options = {}) => {
    const own = openLedgerDb({ url: database.url, logger, ...options });
    opened.push(own);
    return own;
  };
  const open = (options: Omit<LedgerOptions, 'db'> = {}) =>
    createLedger({
      playersSettleMs: 0,
      ...options,
      db: connect({ onePackage: options.onePackagePerBatch ?? false }),
    });
  const funding = open();
  const one = async (text: string, values: unknown[]): Promise<bigint> => {
    const { rows } = await db.query<{ value: bigint }>(text, values);
    return rows[0]?.value ?? 0n;
  };
  const givePackage = async (funds = 0n) => {
    const wanted = { name: 'Test', currency: 'EUR', state: 'approved', domains: [] } as const;
    const { id } = await db.transaction((tx) => createPackage(tx, masterKey, wanted));
    if (funds > 0n) await fund(funding, id, funds);
    return id;
  };
  const givePlayer = async (packageId: number) => {
    const playerId = `player-${++counter}`;
    const { player } = await createPlayer(db, { packageId, playerId }, new Date());
    return player.accountId;
  };
  return {
    url: database.url,
    db,
    connect,
    open,
    package: givePackage,
    player: givePlayer,
    account: async () => {
      const packageId = await givePackage(1_000_000n);
      return { packageId, account: await givePlayer(packageId) };
    },
    balance: (packageId, account) =>
      one('select balance as value from accounts where package_id = $1 and id = $2', [packageId, account]),
    countRows: async (packageId) =>
      Number(await one('select count(*) as value from journal where package_id = $1', [packageId])),
    close: async () => {
      for (const own of opened) await own.end();
      await db.end();
      await database.dispose();
    },
  };
}

async function fund(ledger: Ledger, packageId: number, amount: bigint): Promise<void> {
  const id = { transactionId: 'opening', note: '' };
  await topUp(ledger, { packageId, overdraftLimit: 0n, type: 'top_up', amount, ...id });
}

/** Builds the order for a credit or debit. */
export function orderTransfer(wanted: {
  packageId: number;
  account: bigint;
  type: 'credit' | 'debit';
  amount: bigint;
  id: string;
  note?: string;
  overdraftLimit?: bigint;
}): Order {
  const { packageId, account, type, amount, id, note = '', overdraftLimit = 0n } = wanted;
  const hashes = { idHash: hashId('caller', id), noteHash: hashNote(note) };
  return {
    packageId,
    overdraftLimit,
    command: { type, account, amount, transactionId: id, note, ...hashes },
  };
}

/** Credits the account with 1 and returns the outcome in words. */
export const credit = async (
  ledger: Ledger,
  to: { packageId: number; account: bigint },
  id: string,
): Promise<string> =>
  wordOf(await answerOf(ledger.submit(orderTransfer({ ...to, type: 'credit', amount: 1n, id }))));

export type Answered = Receipt | 'no account' | LedgerFailure['code'];

/** The receipt of an order, `no account`, or the code with which the order failed. */
export async function answerOf(promise: Promise<Receipt | undefined>): Promise<Answered> {
  try {
    return (await promise) ?? 'no account';
  } catch (error) {
    if (error instanceof LedgerFailure) return error.code;
    throw error;
  }
}

/** The outcome of an order in one or two words, such as `stored applied`. */
export function wordOf(answered: Answered): string {
  if (typeof answered === 'string') return answered;
  const { outcome } = answered;
  if (outcome.kind === 'conflict') return `conflict ${outcome.field}`;
  if (outcome.kind === 'refused') return outcome.code;
  return `${outcome.kind} ${outcome.movement.result}`;
}

export function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
