// The package's prepaid credit as it stands now.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { creditAccount } from './rules/movement.ts';
import { selectBalance } from './store/ledger-store.ts';

export async function getCredit(db: Queryable, packageId: number): Promise<bigint> {
  const credit = await selectBalance(db, packageId, creditAccount);
  if (credit === undefined) throw new Error(`package ${packageId} has no credit account`);
  return credit;
}
