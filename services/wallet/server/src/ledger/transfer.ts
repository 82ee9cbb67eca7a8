// Transfers by callers and top-ups by administrators: each transaction id is applied at most once, for ever.

import type { Ledger, Receipt } from './engine/ledger.ts';
import { hashId, hashNote } from './rules/ids.ts';

/** A caller's credit or debit of a player. */
export interface Transfer {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly account: bigint;
  readonly type: 'credit' | 'debit';
  readonly amount: bigint;
  readonly transactionId: string;
  readonly note: string;
}

export function transfer(ledger: Ledger, wanted: Transfer): Promise<Receipt | undefined> {
  return ledger.submit({
    packageId: wanted.packageId,
    overdraftLimit: wanted.overdraftLimit,
    command: {
      type: wanted.type,
      account: wanted.account,
      amount: wanted.amount,
      idHash: hashId('caller', wanted.transactionId),
      transactionId: wanted.transactionId,
      note: wanted.note,
      noteHash: hashNote(wanted.note),
    },
  });
}

/** An administrator's funding of a package, or its reversal. */
export interface TopUp {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly type: 'top_up' | 'top_up_reversal';
  readonly amount: bigint;
  readonly transactionId: string;
  readonly note: string;
}

export async function topUp(ledger: Ledger, wanted: TopUp): Promise<Receipt> {
  const receipt = await ledger.submit({
    packageId: wanted.packageId,
    overdraftLimit: wanted.overdraftLimit,
    command: {
      type: wanted.type,
      amount: wanted.amount,
      idHash: hashId('admin', wanted.transactionId),
      transactionId: wanted.transactionId,
      note: wanted.note,
      noteHash: hashNote(wanted.note),
    },
  });
  if (!receipt) throw new Error(`package ${wanted.packageId} has no ledger`);
  return receipt;
}
