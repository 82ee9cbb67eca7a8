// Which of the workspace's purchases has a code.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectPurchaseId } from './managed-store.ts';

export const findPurchaseId = (
  db: Queryable,
  by: { workspaceId: bigint; codeHash: Buffer },
): Promise<bigint | undefined> => selectPurchaseId(db, by);
