// Several of the workspace's items at once, by their ids or the seller's own.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Item } from './item.ts';
import { selectItemsByIds } from './management/list-store.ts';

export const findItems = (
  db: Queryable,
  wanted: { workspaceId: bigint; ids: readonly bigint[]; externalIds: readonly string[] },
): Promise<Item[]> => selectItemsByIds(db, wanted);
