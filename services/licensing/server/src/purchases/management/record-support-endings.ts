// Records an event for each purchase whose support ends within seven days, once for each end date.
import type { Db } from '@counterfoil/kit/postgres/db';
import { recordEvent } from '../../webhooks/events.ts';
import { makePurchaseEvent } from '../purchase-event.ts';
import { markSupportEndings } from './store.ts';

const soonMs = 7 * 24 * 3_600_000;
const batchSize = 200;

/**
 * Records the events. If two processes run at the same time, each skips the rows that the other has locked.
 * So two processes never record the same end of support.
 */
export async function recordSupportEndings(
  db: Db,
  { workspaceId, now }: { workspaceId: bigint; now: Date },
): Promise<void> {
  const until = new Date(now.getTime() + soonMs);
  const wanted = { workspaceId, from: now, until, limit: batchSize };
  for (let isFull = true; isFull; ) {
    isFull = await db.transaction(async (tx) => {
      const marked = await markSupportEndings(tx, wanted);
      const events = marked.map((purchase) => makePurchaseEvent('purchase.support_ending', purchase, now));
      await recordEvent(tx, workspaceId, ...events);
      return marked.length === batchSize;
    });
  }
}
