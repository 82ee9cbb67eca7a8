// A package's key pairs, the newest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedPair } from './key-pair.ts';
import { selectPairs } from './pair-store.ts';

/** Live ones are far fewer; of the ended ones the latest are enough, the audit log has all. */
const shown = 100;

export const listKeyPairs = (db: Queryable, packageId: number): Promise<ListedPair[]> =>
  selectPairs(db, { packageId, limit: shown });
