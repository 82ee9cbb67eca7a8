// Finds support that ends soon and writes its event, once for each end.
import type { Db } from '@counterfoil/kit/postgres/db';
import { recordEvent } from '../webhooks/record-event.ts';
import { markSupportEndings } from './management/managed-store.ts';
import { makePurchaseEvent } from './purchase-event.ts';

const soonMs = 7 * 24 * 3_600_000;
const batchSize = 200;

/** Of two processes each takes what the other does not hold; marked and told in one transaction. */
export async function noteSupportEndings(
  db: Db,
  { workspaceId, now }: { workspaceId: bigint; now: Date },
): Promise<void> {
  const until = new Date(now.getTime() + soonMs);
  const wanted = { workspaceId, from: now, until, limit: batchSize };
  for (let isFull = true; isFull; ) {
    isFull = await db.transaction(async (tx) => {
      const marked = await markSupportEndings(tx, wanted);
      const events = marked.map((purchase) =>
        makePurchaseEvent('purchase.support_ending', purchase, now),
      );
      await recordEvent(tx, workspaceId, ...events);
      return marked.length === batchSize;
    });
  }
}
