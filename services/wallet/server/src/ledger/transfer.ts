// A caller's credit or debit of a player, once per transaction id, for ever.

import type { Ledger, Receipt } from './engine/ledger.ts';
import { hashId, hashNote } from './rules/ids.ts';

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
