// Finds purchases by the hash of their code; concurrent questions of one workspace share a query.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { createItemTexts } from '../../items/item-texts.ts';
import { type CodedPurchase, selectPurchasesByCode } from './validation-store.ts';

export type { CodedPurchase } from './validation-store.ts';

export interface FoundPurchase {
  readonly purchase: CodedPurchase;
  /** The item as the JSON text that the answer holds. */
  readonly itemText: string;
}

/** Undefined for an unknown code and for another workspace's alike, at the same cost. */
export type PurchaseFinder = (
  workspaceId: bigint,
  codeHash: string,
) => Promise<FoundPurchase | undefined>;

/** Large enough for every open connection of a busy process, small enough for one short query. */
const maxBatch = 256;

export function createPurchaseFinder(db: Queryable): PurchaseFinder {
  const itemTexts = createItemTexts(db);
  const find = createCoalescer<string, FoundPurchase>({
    maxBatch,
    maxInFlight: 2,
    load: async (workspaceId, codeHashes) => {
      const found = await selectPurchasesByCode(db, { workspaceId, codeHashes });
      const wanted = [...found.values()].map(({ itemId, itemVersion: rowVersion }) => ({
        itemId,
        rowVersion,
      }));
      const texts = await itemTexts.get(BigInt(workspaceId), wanted);
      return codeHashes.map((hash) => {
        const purchase = found.get(hash);
        const itemText = purchase && texts.get(purchase.itemId);
        return purchase && itemText !== undefined ? { purchase, itemText } : undefined;
      });
    },
  });
  return (workspaceId, codeHash) => find(String(workspaceId), codeHash);
}
