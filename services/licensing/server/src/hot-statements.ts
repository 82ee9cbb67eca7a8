// Collects the statements of licensing's hot path for `distribute --explain`.
import type { HotStatement } from '@counterfoil/kit/postgres/distribution/one-shard';
import { recordStatements } from '@counterfoil/kit/postgres/distribution/record-statements';
import { getAccount } from './accounts/queries.ts';
import { createItemTexts } from './items/item-texts.ts';
import { getPublishedItem } from './items/queries.ts';
import { createLicenceFactsFinder } from './licences/queries.ts';
import { createPurchaseFinder } from './purchases/validation/queries.ts';

/**
 * Collects the statements of the hot path. It runs the functions of the hot path on a database that records
 * statements and returns no rows. A function that needs a row throws; its error is ignored.
 */
export async function collectHotStatements(workspace: number): Promise<readonly HotStatement[]> {
  const recorder = recordStatements({});
  const { db } = recorder;
  const workspaceId = BigInt(workspace);
  await Promise.allSettled([
    createPurchaseFinder(db)(workspaceId, '00'.repeat(32)),
    createItemTexts(db)(workspaceId, [{ itemId: 1n, itemVersion: '1' }]),
    createLicenceFactsFinder(db)(workspaceId, { purchaseId: 1n, itemId: 1n, targetHash: Buffer.alloc(32) }),
    getAccount(db, workspaceId),
    getPublishedItem(db, { workspaceId, itemId: 1n }),
  ]);
  return recorder.statements;
}
