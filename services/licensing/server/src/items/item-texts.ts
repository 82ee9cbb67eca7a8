// Items as the JSON text that answers hold, kept per version of the row: writing it once is enough.

import { trackOldest } from '@counterfoil/kit/concurrency/cache';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { presentItem } from './item.ts';
import { selectItemVersions } from './published-store.ts';

/** Which version of an item's row an answer needs. */
export interface ItemVersionKey {
  readonly itemId: bigint;
  readonly rowVersion: string;
}

export interface ItemTexts {
  /** At once where all are in memory in that very version. */
  get(
    workspaceId: bigint,
    wanted: readonly ItemVersionKey[],
  ): ReadonlyMap<bigint, string> | Promise<ReadonlyMap<bigint, string>>;
}

const maxEntries = 10_000;

/** Ids come from one sequence for all workspaces, so an id alone names an item. */
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
