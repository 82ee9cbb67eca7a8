// The ledgers that a proof is asked for: all of them, or one package's.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectLedgers } from './store.ts';

export interface LedgerName {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly currency: string;
  readonly movements: bigint;
}

export const findLedgers = (db: Queryable, uid?: string): Promise<LedgerName[]> =>
  selectLedgers(db, uid);
