// Rows of `items`.
import { wholeSecond } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Item } from './item.ts';
import { fromItemRow, type ItemRow } from './queries.ts';

export type NewItemRow = Omit<Item, 'id'>;

export async function insertItemRow(tx: Tx, item: NewItemRow): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into items (workspace_id, kind, state, name, description, category, sub_category,
       options, version, demo_link, tags, thumbnail_url, preview_image_url, preview_video_url,
       preview_audio_url, screenshot_urls, price_regular_minor, price_extended_minor, currency,
       created_at, updated_at, published_at, external_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20, $21, $22, $23)
     returning id`,
    [
      item.workspaceId,
      item.kind,
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
      item.createdAt,
      item.updatedAt,
      item.publishedAt ? wholeSecond(item.publishedAt) : null,
      item.externalId ?? null,
    ],
  );
  return (rows[0] as { id: bigint }).id;
}

/** Locked until the transaction ends, so that concurrent changes of one item are serialised. */
export async function lockItem(
  tx: Tx,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item | undefined> {
  const { rows } = await tx.query<ItemRow>(
    'select * from items where workspace_id = $1 and id = $2 for no key update',
    [key.workspaceId, key.itemId],
  );
  return rows[0] && fromItemRow(rows[0]);
}

export async function saveItem(tx: Tx, item: Item): Promise<void> {
  await tx.query(
    `update items set state = $3, name = $4, description = $5, category = $6, sub_category = $7,
       options = $8, version = $9, demo_link = $10, tags = $11, thumbnail_url = $12,
       preview_image_url = $13, preview_video_url = $14, preview_audio_url = $15,
       screenshot_urls = $16, price_regular_minor = $17, price_extended_minor = $18,
       currency = $19, updated_at = $20, published_at = $21, external_id = $22
     where workspace_id = $1 and id = $2`,
    [
      item.workspaceId,
      item.id,
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
      item.publishedAt ? wholeSecond(item.publishedAt) : null,
      item.externalId ?? null,
    ],
  );
}
