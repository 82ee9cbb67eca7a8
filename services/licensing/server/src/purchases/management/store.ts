// Writes `purchases` and `retired_codes`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { ManagedPurchase } from './managed-purchase.ts';
import { type PurchaseKey, selectRetired } from './queries.ts';

/** Locks a purchase until the transaction ends. The lock serialises concurrent changes of one purchase. */
export const lockPurchase = (tx: Tx, key: PurchaseKey): Promise<ManagedPurchase | undefined> =>
  queryRow<ManagedPurchase>(
    tx,
    'select * from purchases where workspace_id = $1 and id = $2 for no key update',
    [key.workspaceId, key.purchaseId],
  );

/** An assignment for an update that sets the e-mail: another buyer has not unsubscribed. */
export const keepUnsubscribed = (email: string): string =>
  `buyer_unsubscribed_at =
     case when lower(buyer_email) = lower(${email}::text) then buyer_unsubscribed_at end`;

/** Saves the state, the support and the buyer of a locked purchase. */
export async function savePurchase(tx: Tx, after: ManagedPurchase): Promise<void> {
  const { workspaceId, id, state, supportedUntil, buyerName, buyerEmail, updatedAt } = after;
  await tx.query(
    `update purchases set state = $3, supported_until = $4, buyer_name = $5, buyer_email = $6,
       updated_at = $7, ${keepUnsubscribed('$6')}
     where workspace_id = $1 and id = $2`,
    [workspaceId, id, state, supportedUntil, buyerName, buyerEmail, updatedAt],
  );
}

/** Saves the block of a locked purchase. */
export async function saveBlocked(tx: Tx, after: ManagedPurchase): Promise<void> {
  const { workspaceId, id, blockedAt, updatedAt } = after;
  await tx.query(
    'update purchases set blocked_at = $3, updated_at = $4 where workspace_id = $1 and id = $2',
    [workspaceId, id, blockedAt, updatedAt],
  );
}

/**
 * Finds active purchases whose support ends in this period and whose end of support is not marked yet. Marks
 * and returns at most `limit` of these purchases.
 */
export const markSupportEndings = (
  tx: Tx,
  wanted: { workspaceId: bigint; from: Date; until: Date; limit: number },
): Promise<ManagedPurchase[]> =>
  queryRows<ManagedPurchase>(
    tx,
    `update purchases set support_noticed = supported_until
     where workspace_id = $1 and id in (select id from purchases
       where workspace_id = $1 and state = 'active' and supported_until > $2
         and supported_until <= $3 and support_noticed is distinct from supported_until
       order by supported_until limit $4 for no key update skip locked)
     returning *`,
    [wanted.workspaceId, wanted.from, wanted.until, wanted.limit],
  );

export interface EndingSupport {
  readonly id: bigint;
  readonly itemName: string;
  readonly supportedUntil: Date;
}

/**
 * Like `markSupportEndings`, but for mail. Events and mails are marked separately, because webhooks or mail
 * may be off. Blocked purchases are left out. If the block ends before the support, a later call finds them.
 */
export const markSupportMailed = (
  tx: Tx,
  wanted: { workspaceId: bigint; from: Date; until: Date; limit: number },
): Promise<EndingSupport[]> =>
  queryRows<EndingSupport>(
    tx,
    `with marked as (update purchases set support_mailed = supported_until
       where workspace_id = $1 and id in (select id from purchases
         where workspace_id = $1 and state = 'active' and supported_until > $2
           and supported_until <= $3 and support_mailed is distinct from supported_until
           and blocked_at is null
         order by supported_until limit $4 for no key update skip locked)
       returning id, item_id, supported_until)
     select m.id, i.name as item_name, m.supported_until from marked m
     join items i on i.workspace_id = $1 and i.id = m.item_id order by m.supported_until, m.id`,
    [wanted.workspaceId, wanted.from, wanted.until, wanted.limit],
  );

export interface BuyerToMail extends EndingSupport {
  readonly buyerEmail: string;
}

/**
 * Locks the next purchases whose buyers get a mail about the end of support. The purchases are active, not
 * blocked, and have an e-mail. Left out are buyers who have unsubscribed, and ends that were mailed before.
 */
export const lockBuyersToMail = (
  tx: Tx,
  wanted: {
    workspaceId: bigint;
    from: Date;
    until: Date;
    afterId: bigint;
    limit: number;
    /** The e-mail addresses whose purchases are left out, in lower case. */
    except: readonly string[];
  },
): Promise<BuyerToMail[]> =>
  queryRows<BuyerToMail>(
    tx,
    `select p.id, i.name as item_name, p.supported_until, lower(p.buyer_email) as buyer_email
     from purchases p join items i on i.workspace_id = $1 and i.id = p.item_id
     where p.workspace_id = $1 and p.state = 'active' and p.blocked_at is null
       and p.supported_until > $2 and p.supported_until <= $3 and p.id > $4
       and p.buyer_email is not null and p.buyer_unsubscribed_at is null
       and p.buyer_support_mailed is distinct from p.supported_until
       and lower(p.buyer_email) <> all($6::text[])
     order by p.id limit $5 for no key update of p skip locked`,
    [wanted.workspaceId, wanted.from, wanted.until, wanted.afterId, wanted.limit, wanted.except],
  );

/** Marks the ends of support of these purchases as mailed to their buyers. */
export async function saveBuyersMailed(
  tx: Tx,
  { workspaceId, ids }: { workspaceId: bigint; ids: readonly bigint[] },
): Promise<void> {
  await tx.query(
    `update purchases set buyer_support_mailed = supported_until
     where workspace_id = $1 and id = any($2::bigint[])`,
    [workspaceId, ids],
  );
}

/** Unsubscribes the buyer and returns true. Returns false if the buyer has already unsubscribed. */
export async function saveUnsubscribed(tx: Tx, key: PurchaseKey, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update purchases set buyer_unsubscribed_at = $3
     where workspace_id = $1 and id = $2 and buyer_unsubscribed_at is null`,
    [key.workspaceId, key.purchaseId, at],
  );
  return rowCount === 1;
}

/** Records the version that the buyer downloaded last. */
export async function saveDownloadedVersion(
  tx: Tx,
  { workspaceId, purchaseId, version }: PurchaseKey & { readonly version: string },
): Promise<void> {
  await tx.query(
    `update purchases set downloaded_version = $3
     where workspace_id = $1 and id = $2 and downloaded_version is distinct from $3`,
    [workspaceId, purchaseId, version],
  );
}

/** Records the first download and returns true. A later download changes nothing and returns false. */
export async function saveDownloaded(tx: Tx, key: PurchaseKey, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update purchases set downloaded_at = $3, updated_at = $3
     where workspace_id = $1 and id = $2 and downloaded_at is null`,
    [key.workspaceId, key.purchaseId, at],
  );
  return rowCount === 1;
}

/** Erases the buyer from purchases, and returns the ids of the purchases that had data of the buyer. */
export async function saveBuyerErased(
  tx: Tx,
  buyer: { workspaceId: bigint; by: { email: string } | { purchaseId: bigint }; at: Date },
): Promise<bigint[]> {
  const { by } = buyer;
  const { rows } = await tx.query<{ id: bigint }>(
    `update purchases
     set buyer_name = null, buyer_email = null, buyer_unsubscribed_at = null, buyer_erased_at = $3,
       updated_at = $3
     where workspace_id = $1 and ${'email' in by ? 'lower(buyer_email) = $2' : 'id = $2'}
       and (buyer_name is not null or buyer_email is not null)
     returning id`,
    [buyer.workspaceId, 'email' in by ? by.email : by.purchaseId, buyer.at],
  );
  return rows.map((row) => row.id);
}

/** The table that an import writes to. A dry run writes to the temporary table `trial_purchases`. */
export type PurchaseTable = 'purchases' | 'trial_purchases';

/** Stores the code of `after` as the purchase's current code, and marks the code of `before` as retired. */
export async function saveNewCode(
  tx: Tx,
  change: { before: ManagedPurchase; after: ManagedPurchase; idempotencyHash: Buffer | undefined },
): Promise<void> {
  const { before, after } = change;
  const { workspaceId, id, updatedAt: at } = after;
  await tx.query(
    `insert into retired_codes (workspace_id, code_hash, purchase_id, retired_at, idempotency_hash)
     values ($1, $2, $3, $4, $5)`,
    [workspaceId, before.codeHash, id, at, change.idempotencyHash],
  );
  await tx.query(
    `update purchases set code_hash = $3, code_sealed = $4, code_hint = $5, updated_at = $6
     where workspace_id = $1 and id = $2`,
    [workspaceId, id, after.codeHash, after.codeSealed, after.codeHint, at],
  );
}

/**
 * Finds those of the given hashes whose codes were replaced. Deletes the purchases that were inserted with
 * these codes, and returns the hashes that were found.
 */
export async function deleteRetired(
  tx: Tx,
  table: PurchaseTable,
  { workspaceId, hashes }: { workspaceId: bigint; hashes: readonly string[] },
): Promise<string[]> {
  const retired = await selectRetired(tx, { workspaceId, hashes });
  if (retired.length === 0) return [];
  await tx.query(
    `delete from ${table}
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)`,
    [workspaceId, retired],
  );
  return retired;
}
