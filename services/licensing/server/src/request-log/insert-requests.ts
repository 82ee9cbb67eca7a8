// Writes lines of the request log; called in the background, never by a request.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { StoredRequest } from './logged-request.ts';
import { insertRequestRows } from './store.ts';

/** A bound on one statement, and on how long making it keeps the process from answering. */
const maxRows = 2000;

export async function insertRequests(
  tx: Tx,
  workspaceId: bigint,
  lines: readonly Omit<StoredRequest, 'id'>[],
): Promise<void> {
  for (let start = 0; start < lines.length; start += maxRows) {
    await insertRequestRows(tx, workspaceId, lines.slice(start, start + maxRows));
  }
}
