// Reads the movements of a package after a sequence, summed per second.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface Second<Amount = bigint> {
  readonly at: number;
  readonly bets: Amount;
  readonly wins: Amount;
  readonly rollbacks: Amount;
  readonly movements: number;
  readonly refused: number;
}

/**
 * Sums the newest rows after the sequence `after` per second, at most `rows` of them. Rows that are older
 * than `since` are left out. Also returns the last sequence that was read.
 */
export async function listSeconds(
  db: Queryable,
  wanted: { packageId: number; after: bigint; since: Date; rows: number },
): Promise<{ seconds: Second[]; last: bigint }> {
  const { rows } = await db.query<Second<string> & { last: bigint }>({
    name: 'select_live_seconds',
    text: `select extract(epoch from date_trunc('second', created_at))::float8 as at,
             coalesce(sum(amount) filter (where moved and kind in (5, 7)), 0)::text as bets,
             coalesce(sum(case kind when 11 then -amount else amount end)
               filter (where moved and kind in (6, 8, 11)), 0)::text as wins,
             coalesce(sum(amount) filter (where moved and kind = 9), 0)::text as rollbacks,
             count(*)::int as movements, (count(*) filter (where result >= 8))::int as refused,
             max(sequence) as last
           from (select sequence, created_at, kind, result, result in (0, 2, 3) as moved, amount
                 from journal where package_id = $1 and sequence > $2
                 order by sequence desc limit $4) as latest
           where created_at >= $3 group by 1 order by 1`,
    values: [wanted.packageId, wanted.after, wanted.since, wanted.rows],
  });
  return {
    seconds: rows.map(({ last: _, bets, wins, rollbacks, ...second }) => ({
      ...second,
      bets: BigInt(bets),
      wins: BigInt(wins),
      rollbacks: BigInt(rollbacks),
    })),
    last: rows.reduce((last, row) => (row.last > last ? row.last : last), wanted.after),
  };
}
