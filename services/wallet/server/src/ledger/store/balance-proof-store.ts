// Follows one account's movements through the journal, from the newest back, and adds them up.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface AccountHistory {
  readonly balance: bigint;
  readonly movements: bigint;
  readonly sum: bigint;
  /** Rows whose balance is not the one before plus their own change. */
  readonly broken: bigint;
  /** The balance before the oldest row that was looked at. */
  readonly opening: bigint;
  readonly reachedStart: boolean;
}

/** One statement sees one moment, so a movement meanwhile can make no difference. */
export async function selectAccountHistory(
  db: Queryable,
  wanted: { packageId: number; account: bigint; rows: number },
): Promise<AccountHistory | undefined> {
  const { rows } = await db.query<{
    balance: bigint;
    movements: bigint;
    sum: string;
    broken: bigint;
    opening: bigint | null;
    reached_start: boolean | null;
  }>(
    `with recursive links as (
       select j.* from accounts a join journal j
         on j.package_id = $1 and j.sequence = a.last_sequence
       where a.package_id = $1 and a.id = $2
       union all
       select j.* from links l join journal j
         on j.package_id = $1 and j.sequence = l.previous_sequence),
     own as (
       select sequence, previous_sequence,
         case when credit_account = $2 then credit_balance else debit_balance end as after,
         case when result not in (0, 2, 3) then 0
           when credit_account = $2 then amount else -amount end as change,
         credit_account = $2 or debit_account = $2 as is_own
       from (select * from links limit $3) as looked),
     joined as (
       select *, coalesce(lag(after) over (order by sequence),
         case when previous_sequence = 0 then 0 else after - change end) as before
       from own)
     select a.balance, count(j.sequence) as movements, coalesce(sum(j.change), 0)::text as sum,
       count(*) filter (where not j.is_own or j.before + j.change <> j.after) as broken,
       min(j.before) filter (where j.sequence = (select min(sequence) from own)) as opening,
       bool_or(j.previous_sequence = 0) as reached_start
     from accounts a left join joined j on true
     where a.package_id = $1 and a.id = $2 group by a.balance`,
    [wanted.packageId, wanted.account, wanted.rows],
  );
  const [row] = rows;
  if (!row) return undefined;
  return {
    balance: row.balance,
    movements: row.movements,
    sum: BigInt(row.sum),
    broken: row.broken,
    opening: row.opening ?? 0n,
    reachedStart: row.reached_start ?? true,
  };
}
