// Rows of `retired_codes`, and the change of a purchase's code.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { PurchaseKey } from './managed-store.ts';

export interface SealedCode {
  readonly hash: Buffer;
  readonly sealed: Buffer;
  readonly hint: string;
}

/** A dry run writes to a table of its own. */
export type PurchaseTable = 'purchases' | 'trial_purchases';

export async function isRetired(
  db: Queryable,
  code: { workspaceId: bigint; codeHash: Buffer },
): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from retired_codes where workspace_id = $1 and code_hash = $2',
    [code.workspaceId, code.codeHash],
  );
  return rows.length > 0;
}

/** Whether this very request has replaced a code of the purchase already. */
export async function wasReissued(
  tx: Tx,
  key: PurchaseKey,
  idempotencyHash: Buffer,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from retired_codes
     where workspace_id = $1 and purchase_id = $2 and idempotency_hash = $3`,
    [key.workspaceId, key.purchaseId, idempotencyHash],
  );
  return rows.length > 0;
}

export async function saveNewCode(
  tx: Tx,
  key: PurchaseKey,
  change: {
    before: Buffer;
    code: SealedCode;
    idempotencyHash: Buffer | undefined;
    at: Date;
  },
): Promise<void> {
  const { code, at } = change;
  await tx.query(
    `insert into retired_codes (workspace_id, code_hash, purchase_id, retired_at, idempotency_hash)
     values ($1, $2, $3, $4, $5)`,
    [key.workspaceId, change.before, key.purchaseId, at, change.idempotencyHash ?? null],
  );
  await tx.query(
    `update purchases set code_hash = $3, code_sealed = $4, code_hint = $5, updated_at = $6
     where workspace_id = $1 and id = $2`,
    [key.workspaceId, key.purchaseId, code.hash, code.sealed, code.hint, at],
  );
}

/** Which of the codes were replaced. Hashes go in and come out as hexadecimal text. */
export async function selectRetired(
  db: Queryable,
  codes: { workspaceId: bigint; hashes: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>(
    `select encode(code_hash, 'hex') as hash from retired_codes
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)`,
    [codes.workspaceId, codes.hashes],
  );
  return rows.map((row) => row.hash);
}

/** Takes back those of the purchases just inserted whose code was replaced, and gives their hashes. */
export async function deleteRetired(
  tx: Tx,
  table: PurchaseTable,
  { workspaceId, inserted }: { workspaceId: bigint; inserted: readonly Buffer[] },
): Promise<string[]> {
  const hashes = inserted.map((hash) => hash.toString('hex'));
  const retired = await selectRetired(tx, { workspaceId, hashes });
  if (retired.length === 0) return [];
  await tx.query(
    `delete from ${table}
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)`,
    [workspaceId, retired],
  );
  return retired;
}
