// Reads items for the public API, for purchases and for imports.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { Item, ItemKind, ItemState } from './item.ts';

export interface ItemRow {
  workspace_id: bigint;
  id: bigint;
  external_id: string | null;
  kind: ItemKind;
  state: ItemState;
  name: string;
  description: string;
  category: string;
  sub_category: string;
  options: string[];
  version: string;
  demo_link: string;
  tags: string[];
  thumbnail_url: string;
  preview_image_url: string;
  preview_video_url: string;
  preview_audio_url: string;
  screenshot_urls: string[];
  price_regular_minor: bigint;
  price_extended_minor: bigint;
  currency: string;
  created_at: Date;
  updated_at: Date;
  published_at: Date | null;
}

export function fromItemRow(row: ItemRow): Item {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    externalId: row.external_id ?? undefined,
    kind: row.kind,
    state: row.state,
    name: row.name,
    description: row.description,
    category: row.category,
    subCategory: row.sub_category,
    options: row.options,
    version: row.version,
    demoLink: row.demo_link,
    tags: row.tags,
    thumbnailUrl: row.thumbnail_url,
    previewImageUrl: row.preview_image_url,
    previewVideoUrl: row.preview_video_url,
    previewAudioUrl: row.preview_audio_url,
    screenshotUrls: row.screenshot_urls,
    priceRegularMinor: row.price_regular_minor,
    priceExtendedMinor: row.price_extended_minor,
    currency: row.currency,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at ?? undefined,
  };
}

export async function findItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item | undefined> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_item',
    text: 'select * from items where workspace_id = $1 and id = $2',
    values: [key.workspaceId, key.itemId],
  });
  return rows[0] && fromItemRow(rows[0]);
}

export async function selectPublishedItems(db: Queryable, workspaceId: bigint): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_published_items',
    text: `select * from items where workspace_id = $1 and state = 'published' order by id desc`,
    values: [workspaceId],
  });
  return rows.map(fromItemRow);
}

export async function selectPublishedItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item | undefined> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_published_item',
    text: `select * from items where workspace_id = $1 and id = $2 and state = 'published'`,
    values: [key.workspaceId, key.itemId],
  });
  return rows[0] && fromItemRow(rows[0]);
}

export interface ItemFilter {
  readonly workspaceId: bigint;
  readonly category: string | undefined;
  readonly updatedSince: Date | undefined;
}

const matches = `($2::text is null or category = $2)
  and ($3::timestamptz is null or updated_at >= $3)`;

const filterValues = (filter: ItemFilter) => [
  filter.workspaceId,
  filter.category ?? null,
  filter.updatedSince ?? null,
];

export async function countPublishedItems(
  db: Queryable,
  filter: ItemFilter,
): Promise<{ published: bigint; matching: bigint }> {
  const { rows } = await db.query<{ published: bigint; matching: bigint }>({
    name: 'count_published_items',
    text: `select count(*) as published, count(*) filter (where ${matches}) as matching
           from items where workspace_id = $1 and state = 'published'`,
    values: filterValues(filter),
  });
  return rows[0] ?? { published: 0n, matching: 0n };
}

/** All of them without `limit`. */
export async function selectMatchingItems(
  db: Queryable,
  filter: ItemFilter,
  { limit, offset }: { limit: bigint | undefined; offset: bigint },
): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_matching_items',
    text: `select * from items where workspace_id = $1 and state = 'published' and ${matches}
           order by id desc limit $4 offset $5`,
    values: [...filterValues(filter), limit ?? null, offset],
  });
  return rows.map(fromItemRow);
}

/** The version of a row (`xmin`) changes with every write. */
export async function selectItemVersions(
  db: Queryable,
  key: { workspaceId: bigint; itemIds: readonly bigint[] },
): Promise<{ item: Item; rowVersion: string }[]> {
  const { rows } = await db.query<ItemRow & { row_version: string }>({
    name: 'select_item_versions',
    text: `select *, xmin::text as row_version from items
           where workspace_id = $1 and id = any($2::bigint[])`,
    values: [key.workspaceId, key.itemIds],
  });
  return rows.map((row) => ({ item: fromItemRow(row), rowVersion: row.row_version }));
}

export async function findItems(
  db: Queryable,
  wanted: { workspaceId: bigint; ids: readonly bigint[]; externalIds: readonly string[] },
): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>(
    `select * from items
     where workspace_id = $1 and (id = any($2::bigint[]) or external_id = any($3::text[]))`,
    [wanted.workspaceId, wanted.ids, wanted.externalIds],
  );
  return rows.map(fromItemRow);
}

const maxId = 2n ** 63n - 1n;

export async function getPublishedItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item> {
  // An id that exceeds the database's integers is valid, but no item has it.
  const item = key.itemId > maxId ? undefined : await selectPublishedItem(db, key);
  if (!item) throw fail('item_not_found');
  return item;
}
