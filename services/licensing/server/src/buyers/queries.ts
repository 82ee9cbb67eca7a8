// Finds the links and sessions of buyers, and the purchases of a buyer in one workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { noSuchPurchase, type PurchaseKey } from '../purchases/management/queries.ts';
import { listAllWorkspaces, listWorkspaces } from '../workspaces/queries.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import type { Buyer, BuyerSession } from './buyer-session.ts';

export type TokenPurpose = 'link' | 'session';

export const findToken = (
  db: Queryable,
  wanted: { tokenHash: Buffer; purpose: TokenPurpose; now: Date },
): Promise<BuyerSession | undefined> =>
  queryRow<BuyerSession>(
    db,
    `select token_hash, email, workspace_ids, purchase_id, code_hash, created_at, expires_at from buyer_tokens
     where token_hash = $1 and purpose = $2 and expires_at > $3`,
    [wanted.tokenHash, wanted.purpose, wanted.now],
  );

/** Whether the purchase still has the code that opened the session. True for a session without a code. */
export async function hasCurrentCode(
  db: Queryable,
  { workspaceIds: [workspaceId], purchaseId, codeHash }: Buyer,
): Promise<boolean> {
  if (purchaseId === undefined) return true;
  const found = await queryRow(
    db,
    'select id from purchases where workspace_id = $1 and id = $2 and code_hash = $3',
    [workspaceId, purchaseId, codeHash],
  );
  return found !== undefined;
}

export const listSessions = (
  db: Queryable,
  of: { email: string; now: Date },
): Promise<{ createdAt: Date; expiresAt: Date }[]> =>
  queryRows(
    db,
    `select created_at, expires_at from buyer_tokens
     where email = $1 and purpose = 'session' and expires_at > $2 order by created_at desc limit 100`,
    [of.email, of.now],
  );

const pageSize = 500;
/** A search without a seller examines at most this number of workspaces. */
const maxSearched = 5000;

/**
 * Calls `find` for each workspace, one after the other, and returns the workspaces in which `find` has found
 * something. No statement spans workspaces. The search does not stop at the first result, so the duration
 * does not show whether something was found. If `sellerId` is given, only this workspace is examined.
 */
export async function searchWorkspaces<Found>(
  db: Queryable,
  sellerId: bigint | undefined,
  find: (workspaceId: bigint) => Promise<Found | undefined>,
): Promise<{ workspace: Workspace; found: Found }[]> {
  const result: { workspace: Workspace; found: Found }[] = [];
  const examine = async (workspaces: readonly Workspace[]) => {
    for (const workspace of workspaces) {
      const found = await find(workspace.id);
      if (found !== undefined) result.push({ workspace, found });
    }
  };
  if (sellerId !== undefined) {
    await examine(await listWorkspaces(db, [sellerId]));
    return result;
  }
  for (let after: bigint[] = [], searched = 0; searched < maxSearched; searched += pageSize) {
    const workspaces = await listAllWorkspaces(db, { after, limit: pageSize });
    await examine(workspaces);
    if (workspaces.length < pageSize) break;
    after = workspaces.slice(-1).map(({ id }) => id);
  }
  return result;
}

/** Returns the id of the buyer's newest purchase in a workspace, or undefined if there is none. */
export async function findNewestPurchase(
  db: Queryable,
  of: { workspaceId: bigint; email: string },
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'select_newest_purchase_of_buyer',
    text: `select id from purchases where workspace_id = $1 and lower(buyer_email) = $2
           order by id desc limit 1`,
    values: [of.workspaceId, of.email],
  });
  return rows[0]?.id;
}

/**
 * Finds the buyer in a workspace. Returns the purchase with this code and buyer, or any other purchase of the
 * buyer with `hasCode` false, or undefined if the buyer has none.
 */
export async function findPurchaseByCode(
  db: Queryable,
  of: { workspaceId: bigint; email: string; codeHash: Buffer },
): Promise<{ id: bigint; hasCode: boolean } | undefined> {
  const { rows } = await db.query<{ id: bigint; has_code: boolean }>({
    name: 'select_purchase_of_buyer_by_code',
    text: `(select id, true as has_code from purchases
            where workspace_id = $1 and code_hash = $2 and lower(buyer_email) = $3)
           union all
           (select id, false from purchases where workspace_id = $1 and lower(buyer_email) = $3
            order by id desc limit 1)`,
    values: [of.workspaceId, of.codeHash, of.email],
  });
  const found = rows.find((row) => row.has_code) ?? rows[0];
  return found && { id: found.id, hasCode: found.has_code };
}

/**
 * Reads a purchase of the buyer. A purchase of another buyer gets the answer of a missing purchase. If a
 * purchase code has opened the session, every other purchase gets this answer too.
 */
export async function getBuyerPurchase(
  db: Queryable,
  { email, purchaseId, codeHash }: Buyer,
  key: PurchaseKey,
): Promise<ManagedPurchase & { readonly downloadedVersion?: string }> {
  const purchase = await queryRow<ManagedPurchase>(
    db,
    `select * from purchases
     where workspace_id = $1 and id = $2 and lower(buyer_email) = $3
       and ($4::bigint is null or (id = $4 and code_hash = $5))`,
    [key.workspaceId, key.purchaseId, email, purchaseId, codeHash],
  );
  if (!purchase) throw fail('purchase_not_found', noSuchPurchase);
  return purchase;
}
