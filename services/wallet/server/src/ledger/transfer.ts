// Transfers by callers and top-ups by administrators. Each transaction id is applied at most once.

import type { Ledger, Receipt } from './engine/ledger.ts';
import { hashId, hashNote } from './rules/ids.ts';

interface Wanted {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly amount: bigint;
  readonly transactionId: string;
  readonly note: string;
}

/** Credits or debits a player for a caller. */
export function transfer(
  ledger: Ledger,
  wanted: Wanted & { readonly account: bigint; readonly type: 'credit' | 'debit' },
): Promise<Receipt | undefined> {
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

/** Funds a package for an administrator, or reverses a funding. */
export async function topUp(
  ledger: Ledger,
  wanted: Wanted & { readonly type: 'top_up' | 'top_up_reversal' },
): Promise<Receipt> {
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
