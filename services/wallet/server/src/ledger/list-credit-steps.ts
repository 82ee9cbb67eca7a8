// The package's credit after each movement of its journal, and as it stands at the journal's end.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface CreditStep {
  readonly sequence: bigint;
  readonly at: Date;
  /** Undefined where the movement left it alone. */
  readonly credit: bigint | undefined;
}

export async function listCreditSteps(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<CreditStep[]> {
  const { rows } = await db.query<{ sequence: bigint; at: Date; credit: bigint | null }>(
    `select sequence, created_at as at, case when debit_account = 1 then debit_balance
       when credit_account = 1 then credit_balance end as credit
     from journal where package_id = $1 and sequence > $2 order by sequence limit $3`,
    [wanted.packageId, wanted.after, wanted.limit],
  );
  return rows.map((row) => ({ ...row, credit: row.credit ?? undefined }));
}

/** Both of one moment. */
export async function findCreditAtHead(
  db: Queryable,
  packageId: number,
): Promise<{ sequence: bigint; credit: bigint } | undefined> {
  const { rows } = await db.query<{ sequence: bigint; credit: bigint }>(
    `select h.sequence, a.balance as credit from ledger_heads h
     join accounts a on a.package_id = h.package_id and a.id = 1 where h.package_id = $1`,
    [packageId],
  );
  return rows[0];
}
