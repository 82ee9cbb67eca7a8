// The list of a workspace's published items as one answer, cached until an item changes.
import { createHash } from 'node:crypto';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Cached, WorkspaceCache } from '../workspaces/workspace-cache.ts';
import { presentItem } from './item.ts';
import {
  countPublishedItems,
  type ItemFilter,
  selectMatchingItems,
  selectPublishedItems,
} from './queries.ts';

/** The cache is limited by bytes, because a list of 5,000 items has about 5 MB. */
const maxCachedBytes = 128 * 1024 * 1024;

/** The body of an answer and its ETag. */
export type ItemsAnswer = ReturnType<typeof makeItemsAnswer>;

export const makeItemsAnswer = (body: object) => {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return { bytes, etag: `"${digest}"` };
};

/** Returns the list of a workspace, or undefined if the workspace has no published item. */
export type ItemLister = Cached<ItemsAnswer>;

export const createItemLister = (db: Queryable, workspaceCache: WorkspaceCache): ItemLister =>
  workspaceCache.add({
    topic: 'items',
    maxEntries: 10_000,
    weight: { of: (answer) => answer.bytes.length, max: maxCachedBytes },
    load: async (workspaceId) => {
      const items = await selectPublishedItems(db, workspaceId);
      if (items.length === 0) return undefined;
      return makeItemsAnswer({ status: 'success', items: items.map(presentItem) });
    },
  });

/** Returns one page of the filtered list, or undefined if the workspace has no published item. */
export async function filterItems(
  db: Queryable,
  filter: ItemFilter,
  paging: { page: number; perPage: number } | undefined,
): Promise<ItemsAnswer | undefined> {
  const { published, matching } = await countPublishedItems(db, filter);
  if (published === 0n) return undefined;
  const total = Number(matching);
  const page = paging?.page ?? 1;
  const perPage = paging?.perPage ?? total;
  const items = await selectMatchingItems(db, filter, {
    limit: paging && BigInt(perPage),
    offset: BigInt(page - 1) * BigInt(perPage),
  });
  const totalPages = total === 0 ? 0 : Math.ceil(total / perPage);
  return makeItemsAnswer({
    status: 'success',
    items: items.map(presentItem),
    meta: { total, page, per_page: perPage, total_pages: totalPages },
  });
}
