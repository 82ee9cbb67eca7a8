// The statements of the wallet's hot path as the service sends them, for `distribute --explain`.
import type { HotStatement } from '@counterfoil/kit/distribution/one-shard';
import { recordStatements } from '@counterfoil/kit/distribution/record-statements';
import { findSessions } from './games/find-sessions.ts';
import { findCallerMovement } from './ledger/find-movement.ts';
import { getCredit } from './ledger/get-credit.ts';
import { hashId, hashRound } from './ledger/ids.ts';
import { createLedger, type Ledger } from './ledger/ledger.ts';
import { transfer } from './ledger/transfer.ts';
import { createStatusFinder } from './players/find-status.ts';
import { getAccount } from './players/get-account.ts';
import { getBalance } from './players/get-balance.ts';

const account = 1001n;

/** A package with credit and a player with money, as far as the statements ask. */
function answersFor(packageId: number) {
  const rich = { package_id: packageId, balance: 1_000_000n, last_sequence: 0n };
  const head = { ...rich, sequence: 0n, hash: Buffer.alloc(32) };
  return {
    select_head: [1n, 2n, 3n].map((id) => ({ ...head, id })),
    select_accounts_of_one: [{ ...rich, id: account }],
    check_package: [{ ok: true, unforeseen: false, sequence: null }],
  };
}

/**
 * The verbs themselves run, on a database that only takes notes. Nothing is found and nothing is
 * written there, which most of them say by an error of theirs.
 */
export async function collectHotStatements(packageId: number): Promise<readonly HotStatement[]> {
  const recorder = recordStatements(answersFor(packageId));
  const { db } = recorder;
  const ledger = createLedger({ db, onePackagePerBatch: true });
  await Promise.allSettled([
    getBalance(db, packageId, 'player'),
    getCredit(db, packageId),
    getAccount(db, packageId, 'player'),
    createStatusFinder({ db }).find(packageId, 'player'),
    findSessions(db, { packageId, sessionIds: ['session'] }),
    findCallerMovement(db, packageId, 'known'),
    moveMoney(ledger, packageId),
  ]);
  return recorder.statements;
}

/** A note, a bet in a round and a rollback: every table that a batch can touch. */
async function moveMoney(ledger: Ledger, packageId: number): Promise<void> {
  const order = { packageId, overdraftLimit: 0n };
  const round = { id: 'round', hash: hashRound('p', 'round') };
  const play = { account, gameId: 'game', round, roundFinished: false };
  const transferred = transfer(ledger, {
    ...{ ...order, account, type: 'credit', amount: 100n, transactionId: 'a', note: 'noted' },
  });
  const bet = ledger.submit({
    ...order,
    command: {
      ...{ type: 'bet', ...play, amount: 5n, barred: undefined, transactionId: 'b' },
      idHash: hashId('bet:p', 'b'),
    },
  });
  const rollback = ledger.submit({
    ...order,
    command: {
      ...{ type: 'rollback', ...play, transactionId: 'c', idHash: hashId('rollback:p', 'c') },
      referenceHash: hashId('bet:p', 'gone'),
      referenceAsWinHash: hashId('win:p', 'gone'),
    },
  });
  await Promise.allSettled([transferred, bet, rollback]);
}
