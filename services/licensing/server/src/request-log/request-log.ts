// The request log of a workspace: inserts lines in the background, and lists them newest first.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Page } from '../wire/paging.ts';
import { findSandbox } from '../workspaces/queries.ts';
import type { LoggedRequest, NewRequest } from './logged-request.ts';
import { insertRequestRows, type RequestFilter, selectRequests } from './store.ts';

/**
 * The maximum number of rows in a statement. A larger statement would block the process for too long while it
 * is built.
 */
const maxRows = 2000;

export async function insertRequests(
  tx: Tx,
  workspaceId: bigint,
  lines: readonly NewRequest[],
): Promise<void> {
  for (let start = 0; start < lines.length; start += maxRows) {
    await insertRequestRows(tx, workspaceId, lines.slice(start, start + maxRows));
  }
}

/**
 * Lists the requests of a workspace. The requests of test keys are in the log of the sandbox. The list
 * includes these requests too, and marks them with `isTest`.
 */
export async function listRequests(
  db: Queryable,
  { page, ...filter }: Omit<RequestFilter, 'before' | 'limit'> & { readonly page: Page },
): Promise<LoggedRequest[]> {
  const [at, id] = page.after;
  const before = at === undefined || id === undefined ? undefined : { at: new Date(Number(at)), id };
  const wanted = { ...filter, before, limit: page.limit };
  const lines = await selectRequests(db, wanted);
  const live = lines.map((line) => ({ ...line, isTest: false }));
  const sandboxId = await findSandbox(db, filter.workspaceId);
  if (sandboxId === undefined) return live;
  const tested = await selectRequests(db, { ...wanted, workspaceId: sandboxId });
  const all = [...live, ...tested.map((line) => ({ ...line, isTest: true }))];
  return all.sort(latestFirst).slice(0, page.limit);
}

/**
 * Compares by time, then by id. The live log and the sandbox's log take their ids from the same sequence, so
 * the ids are comparable.
 */
const latestFirst = (a: LoggedRequest, b: LoggedRequest): number =>
  b.at.getTime() - a.at.getTime() || (b.id > a.id ? 1 : -1);
