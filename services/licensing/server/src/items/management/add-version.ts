// Gives an item a newer version; its file comes with an upload of its own.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { Item } from '../item.ts';
import { isNewer } from '../item-version.ts';
import { changeItem, type ItemToChange } from './change-item.ts';
import { insertVersion } from './version-store.ts';

export async function addVersion(
  tx: Tx,
  target: ItemToChange,
  { version, notes }: { version: string; notes: string },
): Promise<Item> {
  const item = await changeItem(tx, target, (before) => {
    if (!isNewer(version, before.version))
      throw fail('version_not_newer', { data: { version: before.version } });
    return {
      item: { ...before, version },
      action: 'item_version_added',
      details: { version, from: before.version },
    };
  });
  const { workspaceId } = target.caller;
  await insertVersion(tx, { workspaceId, itemId: item.id, version, notes, at: target.now });
  return item;
}
