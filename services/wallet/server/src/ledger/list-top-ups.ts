// A package's top-ups and their reverses from the journal, newest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { NotedMovement } from './store/journal-store.ts';
import { selectTopUps } from './store/top-up-store.ts';

export const listTopUps = (
  db: Queryable,
  wanted: { packageId: number; before: bigint | undefined; limit: number },
): Promise<NotedMovement[]> => selectTopUps(db, wanted);
