// An administrator's funding of a package or its reverse, once per transaction id, for ever.

import type { Ledger, Receipt } from './engine/ledger.ts';
import { hashId, hashNote } from './rules/ids.ts';

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
