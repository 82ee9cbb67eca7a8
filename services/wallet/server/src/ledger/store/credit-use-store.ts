// How a package's credit was used lately: a bounded look back at the end of its journal.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface CreditUse {
  /** Given to players less what came back; top-ups aside. */
  readonly spent: bigint;
  /** The oldest row that was looked at; undefined where there was none since then. */
  readonly since: Date | undefined;
  /** Whether rows were left out that are younger than asked for. */
  readonly isCut: boolean;
}

export async function selectCreditUse(
  db: Queryable,
  wanted: { packageId: number; since: Date; rows: number },
): Promise<CreditUse> {
  const { rows } = await db.query<{ spent: string; since: Date | null; looked: bigint }>({
    name: 'select_credit_use',
    text: `select count(*) as looked, min(created_at) as since,
             coalesce(sum(case when result <> 0 then 0 when kind = 1 then amount
                               when kind = 2 then -amount else 0 end), 0)::text as spent
           from (select created_at, kind, result, amount from journal where package_id = $1
                 order by sequence desc limit $3) as latest
           where created_at >= $2`,
    values: [wanted.packageId, wanted.since, wanted.rows],
  });
  const [row] = rows;
  return {
    spent: BigInt(row?.spent ?? '0'),
    since: row?.since ?? undefined,
    isCut: Number(row?.looked ?? 0) === wanted.rows,
  };
}
