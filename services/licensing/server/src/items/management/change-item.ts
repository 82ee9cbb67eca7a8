// The frame of every change to an item: locked, changed, saved, audited, announced, in one transaction.
import { isUniqueViolation, type Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../access-policy.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { announceItemsChange } from '../announce-items-change.ts';
import type { Item } from '../item.ts';
import { lockItem, saveItem } from '../store.ts';
import { findNewlyMissing } from './publishable.ts';

export interface ItemToChange {
  readonly caller: Caller;
  readonly itemId: bigint;
  readonly now: Date;
}

export interface ItemChange {
  readonly item: Item;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `decide` says what the item becomes; nothing is written where it says that nothing changes. */
export async function changeItem(
  tx: Tx,
  { caller, itemId, now }: ItemToChange,
  decide: (item: Item) => ItemChange | undefined,
): Promise<Item> {
  const { workspaceId, actor } = caller;
  const before = await lockItem(tx, { workspaceId, itemId });
  if (!before) throw fail('item_not_found');
  const change = decide(before);
  if (!change) return before;
  const item = { ...change.item, updatedAt: now };
  refuseIncomplete(before, item);
  await saveItem(tx, item).catch((error: unknown) => {
    throw isUniqueViolation(error) ? fail('external_id_taken', { cause: error }) : error;
  });
  await recordAudit(tx, {
    workspaceId,
    at: now,
    actor,
    action: change.action,
    subject: { kind: 'item', id: String(itemId) },
    ...(change.details && { details: change.details }),
  });
  await announceItemsChange(tx, workspaceId);
  return item;
}

function refuseIncomplete(before: Item, after: Item): void {
  const errors = findNewlyMissing(before, after);
  if (Object.keys(errors).length > 0) throw fail('item_incomplete', { errors });
}
