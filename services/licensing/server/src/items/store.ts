// Writes `items` and `item_owners`.
import { wholeSecond } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { Item } from './item.ts';
import type { ItemKey } from './queries.ts';

/** The values of the columns that both an insert and an update write: $1 to $21. */
const listValues = (item: Omit<Item, 'id'>) => [
  item.workspaceId,
  item.state,
  item.name,
  item.description,
  item.category,
  item.subCategory,
  item.options,
  item.version,
  item.demoLink,
  item.tags,
  item.thumbnailUrl,
  item.previewImageUrl,
  item.previewVideoUrl,
  item.previewAudioUrl,
  item.screenshotUrls,
  item.priceRegularMinor,
  item.priceExtendedMinor,
  item.currency,
  item.updatedAt,
  item.publishedAt && wholeSecond(item.publishedAt),
  item.externalId,
];

export async function insertItemRow(tx: Tx, item: Omit<Item, 'id'>): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into items (workspace_id, state, name, description, category, sub_category, options,
       version, demo_link, tags, thumbnail_url, preview_image_url, preview_video_url,
       preview_audio_url, screenshot_urls, price_regular_minor, price_extended_minor, currency,
       updated_at, published_at, external_id, kind, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20, $21, $22, $23)
     returning id`,
    [...listValues(item), item.kind, item.createdAt],
  );
  return (rows[0] as { id: bigint }).id;
}

/** Records the workspace of an item, by which an update feed finds the item. */
export async function saveItemOwner(tx: Tx, key: ItemKey): Promise<void> {
  await tx.query('insert into item_owners (item_id, workspace_id) values ($1, $2) on conflict do nothing', [
    key.itemId,
    key.workspaceId,
  ]);
}

/** Locks an item until the transaction ends. The lock serialises concurrent changes of one item. */
export const lockItem = (tx: Tx, key: ItemKey): Promise<Item | undefined> =>
  queryRow<Item>(tx, 'select * from items where workspace_id = $1 and id = $2 for no key update', [
    key.workspaceId,
    key.itemId,
  ]);

export async function saveItem(tx: Tx, item: Item): Promise<void> {
  await tx.query(
    `update items set state = $2, name = $3, description = $4, category = $5, sub_category = $6,
       options = $7, version = $8, demo_link = $9, tags = $10, thumbnail_url = $11,
       preview_image_url = $12, preview_video_url = $13, preview_audio_url = $14,
       screenshot_urls = $15, price_regular_minor = $16, price_extended_minor = $17,
       currency = $18, updated_at = $19, published_at = $20, external_id = $21
     where workspace_id = $1 and id = $22`,
    [...listValues(item), item.id],
  );
}
