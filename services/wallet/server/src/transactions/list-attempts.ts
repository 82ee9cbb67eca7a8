// Attempts of update_balance under one transaction id that the journal does not hold, newest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectAttempts } from './store.ts';
import type { ListedAttempt } from './transfer-attempt.ts';

export const listAttempts = (
  db: Queryable,
  wanted: { packageId: number; transactionId: string; limit: number },
): Promise<ListedAttempt[]> => selectAttempts(db, wanted);
