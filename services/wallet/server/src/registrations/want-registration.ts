// Notes that the upstream must hear of a package, in the transaction of what changed it.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { insertAllWishes, insertWish } from './store.ts';

export const wantRegistration = (tx: Tx, wish: { packageId: number; at: Date }): Promise<void> =>
  insertWish(tx, wish);

/** At every start: an upstream that lost its memory has it again soon. */
export const wantAllRegistrations = (db: Queryable, at: Date): Promise<void> =>
  insertAllWishes(db, at);
