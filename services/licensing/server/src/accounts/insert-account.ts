// Gives a new workspace its account.

import { isCurrency } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Account } from './account.ts';
import { insertAccountRow } from './store.ts';

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  if (!isCurrency(account.currency)) throw new Error(`unknown currency ${account.currency}`);
  await insertAccountRow(tx, account);
}
