// Caches the JSON text of each item until the row of the item changes.
import { trackOldest } from '@counterfoil/kit/concurrency/cache';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { presentItem } from './item.ts';
import { selectItemVersions } from './queries.ts';

/** Returns the texts of items by id. The result is a promise only if a requested version is not cached. */
type ItemTexts = (
  workspaceId: bigint,
  wanted: readonly { readonly itemId: bigint; readonly itemVersion: string }[],
) => ReadonlyMap<bigint, string> | Promise<ReadonlyMap<bigint, string>>;

const maxEntries = 10_000;

/**
 * Creates the cache. Its keys are item ids without the workspace, because item ids are unique across
 * workspaces.
 */
export function createItemTexts(db: Queryable): ItemTexts {
  const cached = new Map<bigint, { itemVersion: string; text: string }>();
  const findOldest = trackOldest(cached);

  const load = async (workspaceId: bigint, itemIds: readonly bigint[]) => {
    const texts = new Map<bigint, string>();
    for (const item of await selectItemVersions(db, { workspaceId, itemIds })) {
      const text = JSON.stringify(presentItem(item));
      texts.set(item.id, text);
      if (cached.size >= maxEntries && !cached.has(item.id)) cached.delete(findOldest() ?? item.id);
      cached.set(item.id, { itemVersion: item.rowVersion, text });
    }
    return texts;
  };

  return (workspaceId, wanted) => {
    const texts = new Map<bigint, string>();
    const missing = new Set<bigint>();
    for (const { itemId, itemVersion } of wanted) {
      const known = cached.get(itemId);
      if (known?.itemVersion === itemVersion) texts.set(itemId, known.text);
      else missing.add(itemId);
    }
    if (missing.size === 0) return texts;
    return load(workspaceId, [...missing]).then((loaded) => new Map([...texts, ...loaded]));
  };
}
