// Changes an item: edits, publishes or withdraws it, or adds a version. Each change is one transaction.
import { isDeepStrictEqual } from 'node:util';
import { isUniqueViolation, type Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { announceItemsChange } from '../../workspaces/workspace-changes.ts';
import type { Item } from '../item.ts';
import { isNewer } from '../item-version.ts';
import { refuseForeignMedia, releaseMedia } from '../media/release-media.ts';
import { lockItem, saveItem, saveItemOwner } from '../store.ts';
import type { ItemChanges } from './item-input.ts';
import { findNewlyMissing } from './managed-item.ts';
import { getOwnItem } from './queries.ts';
import { insertVersion, lockVersion, type NewVersion, saveStable } from './store.ts';

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

/** Changes an item. `decide` returns the changed item, or undefined if nothing changes. */
export async function changeItem(
  tx: Tx,
  { caller, itemId, now }: ItemToChange,
  decide: (item: Item) => ItemChange | undefined,
): Promise<Item> {
  const { workspaceId } = caller;
  const before = await lockItem(tx, { workspaceId, itemId });
  if (!before) throw fail('item_not_found');
  const change = decide(before);
  if (!change) return before;
  const { item: wanted, ...event } = change;
  const item = { ...wanted, updatedAt: now };
  refuseIncomplete(before, item);
  await saveItem(tx, item).catch((error: unknown) => {
    throw isUniqueViolation(error) ? fail('external_id_taken', { cause: error }) : error;
  });
  await recordAudit(tx, { ...caller, ...event, at: now, subject: { kind: 'item', id: String(itemId) } });
  await releaseMedia(tx, { caller, before, after: item, now });
  await announceItemsChange(tx, workspaceId);
  return item;
}

function refuseIncomplete(before: Item, after: Item): void {
  const errors = findNewlyMissing(before, after);
  if (Object.keys(errors).length > 0) throw fail('item_incomplete', { errors });
}

export async function addVersion(tx: Tx, target: ItemToChange, given: NewVersion): Promise<Item> {
  const { version, channel = 'stable' } = given;
  const item = await changeItem(tx, target, (before) => {
    if (!isNewer(version, before.version))
      throw fail('version_not_newer', { data: { version: before.version } });
    return {
      // The field `version` of an item is its newest stable version.
      item: channel === 'stable' ? { ...before, version } : before,
      action: 'item_version_added',
      details: { version, channel, from: before.version },
    };
  });
  const { workspaceId } = target.caller;
  const key = { workspaceId, itemId: item.id };
  // The previous version of this service created items without a row in `item_owners`.
  await saveItemOwner(tx, key);
  // A beta with this number may exist, because betas can be newer than the stable version. A number is never
  // used twice.
  if (!(await insertVersion(tx, { ...key, ...given, at: target.now })))
    throw fail('version_not_newer', { data: { version } });
  return item;
}

/**
 * Moves a beta to the channel `stable`. The release time stays. A version that is stable already stays
 * unchanged.
 */
export async function promoteVersion(tx: Tx, target: ItemToChange, version: string): Promise<Item> {
  const { itemId } = target;
  const key = { workspaceId: target.caller.workspaceId, itemId, version };
  const item = await getOwnItem(tx, key);
  const promoted = await lockVersion(tx, key);
  if (!promoted) throw fail('version_not_found');
  if (promoted.channel === 'stable') return item;
  await saveStable(tx, key);
  return changeItem(tx, target, (before) => ({
    // The field `version` of an item is its newest stable version.
    item: isNewer(version, before.version) ? { ...before, version } : before,
    action: 'item_version_promoted',
    details: { version, from: before.version },
  }));
}

/**
 * Edits an item. `read` parses the input. It receives the locked item, because amounts may depend on the
 * currency of the item.
 */
export async function editItem(
  tx: Tx,
  target: ItemToChange & { publicUrl: string },
  read: (item: Item) => ItemChanges,
): Promise<Item> {
  const seen: { before?: Item } = {};
  const after = await changeItem(tx, target, (item) => {
    seen.before = item;
    const changes = read(item);
    const fields = Object.entries(changes)
      .filter(([field, value]) => !isDeepStrictEqual(value, item[field as keyof Item]))
      .map(([field]) => field);
    if (fields.length === 0) return undefined;
    return { item: { ...item, ...changes }, action: 'item_edited', details: { fields } };
  });
  const { before = after } = seen;
  await refuseForeignMedia(tx, { publicUrl: target.publicUrl, before, after });
  return after;
}

export const publishItem = (tx: Tx, target: ItemToChange): Promise<Item> =>
  changeItem(tx, target, (item) => {
    if (item.state === 'published') return undefined;
    const publishedAt = item.publishedAt ?? target.now;
    return {
      item: { ...item, state: 'published', publishedAt },
      action: 'item_published',
      details: { from: item.state },
    };
  });

export const withdrawItem = (tx: Tx, target: ItemToChange): Promise<Item> =>
  changeItem(tx, target, (item) => {
    if (item.state === 'withdrawn') return undefined;
    if (item.state !== 'published') throw fail('item_state_conflict', { data: { state: item.state } });
    return { item: { ...item, state: 'withdrawn' }, action: 'item_withdrawn' };
  });
