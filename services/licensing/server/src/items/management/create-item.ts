// Creates an item with its first version.
import { isUniqueViolation, type Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { announceItemsChange } from '../../workspaces/workspace-changes.ts';
import type { Item } from '../item.ts';
import { insertItemRow, saveItemOwner } from '../store.ts';
import { insertVersion } from './store.ts';

export type NewItem = Partial<Omit<Item, 'id'>> & Pick<Item, 'workspaceId' | 'kind' | 'name' | 'currency'>;

/** Completes an item with default values. */
export const fillItem = (item: NewItem, now: Date): Omit<Item, 'id'> => ({
  externalId: undefined,
  state: 'draft',
  description: '',
  category: '',
  subCategory: '',
  options: [],
  version: '1.0.0',
  demoLink: '',
  tags: [],
  thumbnailUrl: '',
  previewImageUrl: '',
  previewVideoUrl: '',
  previewAudioUrl: '',
  screenshotUrls: [],
  priceRegularMinor: 0n,
  priceExtendedMinor: 0n,
  createdAt: now,
  updatedAt: now,
  publishedAt: item.state === 'published' || item.state === 'withdrawn' ? now : undefined,
  ...item,
});

/**
 * The release time of the first version. The version of an imported item was released when the item was
 * published. If its release time were the time of the import, old purchases would not include the version.
 */
const findReleaseTime = ({ publishedAt }: Pick<Item, 'publishedAt'>, now: Date): Date =>
  publishedAt !== undefined && publishedAt < now ? publishedAt : now;

/** Creates an item. Without an actor, the audit log names an operator at the command line. */
export async function createItem(tx: Tx, item: NewItem, now: Date, actor: Actor = {}): Promise<bigint> {
  const { workspaceId } = item;
  const filled = fillItem(item, now);
  const itemId = await insertItemRow(tx, filled).catch((error: unknown) => {
    throw isUniqueViolation(error) ? fail('external_id_taken', { cause: error }) : error;
  });
  await saveItemOwner(tx, { workspaceId, itemId });
  await insertVersion(tx, { workspaceId, itemId, version: filled.version, at: findReleaseTime(filled, now) });
  const subject = { kind: 'item', id: String(itemId) };
  const details = { name: item.name, kind: item.kind, state: filled.state };
  await recordAudit(tx, { workspaceId, actor, at: now, action: 'item_created', subject, details });
  await announceItemsChange(tx, workspaceId);
  return itemId;
}
