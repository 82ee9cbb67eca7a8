// The request log of a workspace, the latest first.
import type { Queryable } from '@counterfoil/kit/db';
import type { Page } from '../paging.ts';
import type { LoggedRequest } from './logged-request.ts';
import { type RequestFilter, selectRequests } from './store.ts';

export type WantedRequests = Omit<RequestFilter, 'before' | 'limit'> & { readonly page: Page };

export async function listRequests(
  db: Queryable,
  { page, ...filter }: WantedRequests,
): Promise<LoggedRequest[]> {
  const [at, id] = page.after;
  const before =
    at === undefined || id === undefined ? undefined : { at: new Date(Number(at)), id };
  return await selectRequests(db, { ...filter, before, limit: page.limit });
}
