// Writes one movement: both balances, the journal row and the chain, in the caller's transaction.
import type { Tx } from '@counterfoil/kit/db';
import {
  chainMovement,
  hashTransactionId,
  issuanceAccount,
  type Movement,
  type MovementKind,
} from './movement.ts';
import {
  type AccountRow,
  insertMovementRow,
  lockAccounts,
  lockHead,
  saveBalances,
} from './store.ts';

export interface Posting {
  readonly packageId: number;
  readonly kind: MovementKind;
  readonly debitAccount: bigint;
  readonly creditAccount: bigint;
  readonly amount: bigint;
  readonly transactionId: string;
  readonly now: Date;
}

/** The head's row is locked first: it is the mutex that keeps sequences without gaps. */
export async function postMovement(tx: Tx, posting: Posting): Promise<Movement> {
  const { packageId, debitAccount, creditAccount, amount } = posting;
  const head = await lockHead(tx, packageId);
  const accounts = await lockAccounts(tx, packageId, [debitAccount, creditAccount]);
  const debit = getAccount(accounts, debitAccount);
  const credit = getAccount(accounts, creditAccount);
  const subject = debit.id > credit.id ? debit : credit;
  const movement: Movement = {
    packageId,
    sequence: head.sequence + 1n,
    previousSequence: subject.id > issuanceAccount ? subject.last_sequence : 0n,
    kind: posting.kind,
    debitAccount,
    creditAccount,
    amount,
    debitBalance: debit.balance - amount,
    creditBalance: credit.balance + amount,
    transactionId: posting.transactionId,
    createdAt: posting.now,
  };
  const hash = chainMovement(head.hash, movement);
  const space = posting.kind === 'top_up' ? 'admin' : 'caller';
  const idHash = hashTransactionId(space, posting.transactionId);
  await insertMovementRow(tx, { movement, idHash, hash });
  await saveBalances(tx, movement, hash);
  return movement;
}

function getAccount(accounts: Map<bigint, AccountRow>, id: bigint): AccountRow {
  const account = accounts.get(id);
  if (!account) throw new Error(`there is no account ${id}`);
  return account;
}
