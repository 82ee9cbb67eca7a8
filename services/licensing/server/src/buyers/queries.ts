// Finds the links and sessions of buyers, and the purchases of a buyer in one workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { listPurchases, noSuchPurchase, type PurchaseKey } from '../purchases/management/queries.ts';
import type { Page } from '../wire/paging.ts';
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

/** The session of a request, and the time of the request. */
export interface SessionAt {
  readonly session: BuyerSession;
  readonly now: Date;
}

/**
 * Calls `find`, which compares the code of the session with the code of its purchase. Two statements read the
 * session and the purchase, because no statement may span tenants. Between the two, a request of the same
 * session may have replaced the code and bound the session to the new code. So if `find` finds nothing, the
 * session is read again. If its code has not changed since then, `find` is not called again.
 */
export async function findWithCode<Found>(
  db: Queryable,
  { session: { tokenHash }, session, now }: SessionAt,
  find: (session: BuyerSession) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (let current: BuyerSession | undefined = session; current; ) {
    const found = await find(current);
    const { codeHash: refused } = current;
    if (found !== undefined || !refused) return found;
    current = await findToken(db, { tokenHash, purpose: 'session', now });
    if (current?.codeHash?.equals(refused)) return undefined;
  }
  return undefined;
}

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
  at: SessionAt,
  key: PurchaseKey,
): Promise<ManagedPurchase & { readonly downloadedVersion?: string }> {
  const purchase = await findWithCode(db, at, ({ email, purchaseId, codeHash }) =>
    queryRow<ManagedPurchase>(
      db,
      `select * from purchases
       where workspace_id = $1 and id = $2 and lower(buyer_email) = $3
         and ($4::bigint is null or (id = $4 and code_hash = $5))`,
      [key.workspaceId, key.purchaseId, email, purchaseId, codeHash],
    ),
  );
  if (!purchase) throw fail('purchase_not_found', noSuchPurchase);
  return purchase;
}

/**
 * Lists the purchases of the buyer in a workspace, newest first. If a purchase code has opened the session,
 * lists only its purchase, and nothing if the purchase has another code.
 */
export async function listBuyerPurchases(
  db: Queryable,
  at: SessionAt,
  { workspaceId, ...page }: Page & { readonly workspaceId: bigint },
): Promise<ManagedPurchase[]> {
  const found = await findWithCode(db, at, async ({ email, purchaseId, codeHash }) => {
    const filter = { workspaceId, buyerEmail: email, id: purchaseId, codeHash };
    const purchases = await listPurchases(db, filter, page);
    return purchases.length > 0 ? purchases : undefined;
  });
  return found ?? [];
}
