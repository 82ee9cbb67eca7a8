// Gives a workspace its sandbox, once, and the sandbox whatever test data it lacks.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { createWorkspace } from '../accounts/create-workspace.ts';
import { createItem } from '../items/management/create-item.ts';
import { findItems } from '../items/queries.ts';
import { issuePurchaseOnce } from '../purchases/management/issue-purchase.ts';
import { findSandbox } from '../workspaces/queries.ts';
import { testAccount, testItems, testPurchases } from './test-data.ts';

export interface Sandbox {
  readonly workspaceId: bigint;
  /** The item of publishable test keys that name none. */
  readonly firstItemId: bigint;
}

/**
 * Through the verbs that sellers use, so that whatever reads it needs to know nothing of tests. The
 * caller holds the workspace: two first test keys at once get one sandbox.
 */
export async function openSandbox(
  tx: Tx,
  masterKey: MasterKey,
  wanted: { workspaceId: bigint; at: Date },
): Promise<Sandbox> {
  const workspaceId =
    (await findSandbox(tx, wanted.workspaceId)) ??
    (await createWorkspace(tx, {
      name: 'Sandbox',
      sandboxOf: wanted.workspaceId,
      account: testAccount,
    }));
  const itemIds = await putItems(tx, workspaceId, wanted.at);
  for (const { item, ...sale } of testPurchases) {
    const itemId = getId(itemIds, item.externalId);
    // A code that is there already stays as it is.
    const repetition = { idempotencyKey: undefined, input: '', matches: () => true, actor: {} };
    await issuePurchaseOnce(tx, masterKey, { ...sale, workspaceId, itemId }, repetition);
  }
  return { workspaceId, firstItemId: getId(itemIds, testItems[0].externalId) };
}

async function putItems(tx: Tx, workspaceId: bigint, at: Date): Promise<Map<string, bigint>> {
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
