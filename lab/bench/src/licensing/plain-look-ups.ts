// Looks up keys, sellers, purchases and items without a cache: each look-up runs one query for whole rows.

import { presentTime } from '@counterfoil/kit/http/answers';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ApiKey } from '@counterfoil/licensing-server/authentication/api-key';
import { type Item, presentItem } from '@counterfoil/licensing-server/items/item';
import type { FoundPurchase } from '@counterfoil/licensing-server/purchases/validation/queries';
import type { Seller } from '@counterfoil/licensing-server/workspaces/workspace-cache';

export async function findApiKeyPlainly(db: Queryable, hash: Buffer): Promise<ApiKey | undefined> {
  const { rows } = await db.query<Omit<ApiKey, 'itemId' | 'expiresAt' | 'revokedAt'>>({
    name: 'plain_api_key',
    text: `select id, workspace_id as "workspaceId", name, kind, scopes,
             legacy_item as "legacyItem"
           from api_keys where key_hash = $1 and revoked_at is null and expires_at is null`,
    values: [hash],
  });
  return rows[0] && { ...rows[0], itemId: undefined, expiresAt: undefined, revokedAt: undefined };
}

export async function findSellerPlainly(db: Queryable, workspaceId: bigint): Promise<Seller | undefined> {
  const { rows } = await db.query<Seller>({
    name: 'plain_seller',
    text: `select is_seller as "isSeller", support_enabled as "supportEnabled",
             vendor_clients as "vendorClients"
           from accounts join workspaces on id = workspace_id where workspace_id = $1`,
    values: [workspaceId],
  });
  return rows[0];
}

type Purchase = FoundPurchase['purchase'];

type PlainRow = Omit<Item, 'id' | 'state' | 'currency'> &
  Omit<Purchase, 'supportedUntil' | 'purchasedAt'> & {
    itemState: Item['state'];
    itemCurrency: string;
    supportedUntil: Date | null;
    purchasedAt: Date;
  };

export async function findPurchasePlainly(
  db: Queryable,
  workspaceId: bigint,
  codeHash: string,
): Promise<FoundPurchase | undefined> {
  const { rows } = await db.query<PlainRow>({
    name: 'plain_purchase',
    text: `select p.id, p.item_id as "itemId", p.code_sealed as "sealedIfMixedCase",
             p.license_type as "licenseType", p.price_minor as "priceMinor", p.currency, p.state,
             p.supported_until as "supportedUntil", p.downloaded_at is not null as "isDownloaded",
             p.purchased_at as "purchasedAt", i.kind, i.state as "itemState", i.name,
             i.description, i.category, i.sub_category as "subCategory", i.options, i.version,
             i.demo_link as "demoLink", i.tags, i.thumbnail_url as "thumbnailUrl",
             i.preview_image_url as "previewImageUrl", i.preview_video_url as "previewVideoUrl",
             i.preview_audio_url as "previewAudioUrl", i.screenshot_urls as "screenshotUrls",
             i.price_regular_minor as "priceRegularMinor",
             i.price_extended_minor as "priceExtendedMinor", i.currency as "itemCurrency",
             i.published_at as "publishedAt"
           from purchases p join items i on i.workspace_id = p.workspace_id and i.id = p.item_id
           where p.workspace_id = $1 and p.code_hash = $2`,
    values: [workspaceId, Buffer.from(codeHash, 'hex')],
  });
  const row = rows[0];
  if (!row) return undefined;
  const item = { ...row, id: row.itemId, state: row.itemState, currency: row.itemCurrency };
  const purchase: Purchase = {
    ...row,
    supportedUntil: row.supportedUntil ? presentTime(row.supportedUntil) : undefined,
    purchasedAt: presentTime(row.purchasedAt),
  };
  return { purchase, itemText: JSON.stringify(presentItem(item)) };
}
