// The keys of a workspace, the newest first, ended ones among them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedApiKey } from '../authentication/api-key.ts';
import type { Page } from '../wire/paging.ts';
import { selectApiKeys } from './store.ts';

export async function listApiKeys(
  db: Queryable,
  workspaceId: bigint,
  page: Page,
): Promise<ListedApiKey[]> {
  return await selectApiKeys(db, { workspaceId, beforeId: page.after[0], limit: page.limit });
}
