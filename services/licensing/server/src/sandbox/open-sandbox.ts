// Creates the sandbox of a workspace, and adds missing test data to it.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { createWorkspace } from '../accounts/create-workspace.ts';
import { createItem } from '../items/management/create-item.ts';
import { findItems } from '../items/queries.ts';
import { issuePurchaseOnce } from '../purchases/management/issue-purchase.ts';
import { findSandbox } from '../workspaces/queries.ts';
import { testAccount, testItems, testPurchases } from './test-data.ts';

/**
 * Creates test data with the same functions as live data, so that reads need no special case. The caller must
 * have locked the workspace. Otherwise two requests that create the first test key at the same time could
 * create two sandboxes.
 */
export async function openSandbox(tx: Tx, masterKey: MasterKey, wanted: { workspaceId: bigint; at: Date }) {
  const workspaceId =
    (await findSandbox(tx, wanted.workspaceId)) ??
    (await createWorkspace(tx, { name: 'Sandbox', sandboxOf: wanted.workspaceId, account: testAccount }));
  const itemIds = await createItems(tx, workspaceId, wanted.at);
  for (const { item, ...sale } of testPurchases) {
    const itemId = getId(itemIds, item.externalId);
    // `matches` accepts any stored purchase, so a purchase that exists stays unchanged.
    const repetition = { idempotencyKey: undefined, input: '', matches: () => true, actor: {} };
    await issuePurchaseOnce(tx, masterKey, { ...sale, workspaceId, itemId }, repetition);
  }
  // Publishable test keys are bound to the first item by default.
  return { workspaceId, firstItemId: getId(itemIds, testItems[0].externalId) };
}

async function createItems(tx: Tx, workspaceId: bigint, at: Date): Promise<Map<string, bigint>> {
  const externalIds = testItems.map(({ externalId }) => externalId);
  const known = await findItems(tx, { workspaceId, ids: [], externalIds });
  const itemIds = new Map(known.map(({ externalId = '', id }) => [externalId, id]));
  for (const item of testItems) {
    if (itemIds.has(item.externalId)) continue;
    itemIds.set(item.externalId, await createItem(tx, { ...item, workspaceId }, at));
  }
  return itemIds;
}

function getId(itemIds: ReadonlyMap<string, bigint>, externalId: string): bigint {
  const id = itemIds.get(externalId);
  if (id === undefined) throw new Error(`the sandbox lacks ${externalId}`);
  return id;
}
