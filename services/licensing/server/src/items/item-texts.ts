// Caches the JSON text of items, one per version of the row.
import { trackOldest } from '@counterfoil/kit/concurrency/cache';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { presentItem } from './item.ts';
import { selectItemVersions } from './queries.ts';

/** The version of an item's row that an answer needs. */
export interface ItemVersionKey {
  readonly itemId: bigint;
  readonly rowVersion: string;
}

export interface ItemTexts {
  /** Synchronous if all texts are cached in the requested version. */
  get(
    workspaceId: bigint,
    wanted: readonly ItemVersionKey[],
  ): ReadonlyMap<bigint, string> | Promise<ReadonlyMap<bigint, string>>;
}

const maxEntries = 10_000;

/** Item ids are unique over all workspaces. */
export function createItemTexts(db: Queryable): ItemTexts {
  const kept = new Map<bigint, { rowVersion: string; text: string }>();
  const findOldest = trackOldest(kept);

  const load = async (workspaceId: bigint, itemIds: readonly bigint[]) => {
    const texts = new Map<bigint, string>();
    for (const { item, rowVersion } of await selectItemVersions(db, { workspaceId, itemIds })) {
      const text = JSON.stringify(presentItem(item));
      texts.set(item.id, text);
      if (kept.size >= maxEntries && !kept.has(item.id)) kept.delete(findOldest() ?? item.id);
      kept.set(item.id, { rowVersion, text });
    }
    return texts;
  };

  return {
    get: (workspaceId, wanted) => {
      const texts = new Map<bigint, string>();
      const missing = new Set<bigint>();
      for (const { itemId, rowVersion } of wanted) {
        const known = kept.get(itemId);
        if (known?.rowVersion === rowVersion) texts.set(itemId, known.text);
        else missing.add(itemId);
      }
      if (missing.size === 0) return texts;
      return load(workspaceId, [...missing]).then((loaded) => new Map([...texts, ...loaded]));
    },
  };
}
