// An item's versions, newest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ItemVersion } from '../item-version.ts';
import { getOwnItem } from './get-own-item.ts';
import { selectVersions } from './version-store.ts';

export async function listVersions(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<ItemVersion[]> {
  await getOwnItem(db, key);
  return selectVersions(db, key);
}
