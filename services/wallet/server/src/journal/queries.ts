// Reads the journal for people: newest first, filtered, with a limit on the rows read.

import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { MergePosition } from '../ledger/queries.ts';
import type { JournalFilter } from './journal-filter.ts';

/**
 * The rows of a package are read by primary key. The rows of a player are read backwards: each row links to
 * the previous row of its account. `other` is the sequence of the row that comes next in the player's other
 * account. With it, the rows of both accounts are read in one order, newest first.
 */
const scanAll = `select *, $10::bigint as other from journal
  where package_id = $1 and sequence <= $2 and sequence >= $3
  order by sequence desc limit $4`;

const scanPlayer = `(select *, $10::bigint as other from journal where package_id = $1 and sequence = $2)
  union all
  select j.*, least(s.previous_sequence, s.other)
  from scanned s join journal j on j.package_id = $1
    and j.sequence = greatest(s.previous_sequence, s.other)
  where greatest(s.previous_sequence, s.other) >= $3`;

const writeScan = ({ accounts }: JournalFilter) =>
  accounts === undefined
    ? `with scanned as (${scanAll}), seen as (select * from scanned)`
    : `with recursive scanned as (${scanPlayer}), seen as (select * from scanned limit $4)`;

const condition = `sequence >= $3
  and ($5::smallint[] is null or kind = any ($5))
  and ($6::smallint[] is null or result = any ($6))
  and ($7::text is null or game_id = $7)
  and ($8::bigint[] is null or debit_account = any ($8) or credit_account = any ($8))
  and ($9::bigint is null or sequence <= $9)`;

const valuesOf = (filter: JournalFilter, scan: { start: MergePosition; rows: number }) => [
  filter.packageId,
  scan.start.next,
  filter.first,
  scan.rows,
  filter.kinds ?? null,
  filter.results ?? null,
  filter.gameId ?? null,
  filter.accounts ?? null,
  filter.last ?? null,
  scan.start.other,
];

/**
 * Reads at most `rows` rows backwards from `start`, and returns the first `limit` rows that match. The next
 * page starts at `next`. At the end of the journal, `next` is undefined.
 */
export async function scanJournal(
  db: Queryable,
  filter: JournalFilter,
  scan: { start: MergePosition; rows: number; limit: number },
) {
  const isMerged = filter.accounts !== undefined;
  const step = isMerged ? 'greatest(previous_sequence, other)' : 'sequence - 1';
  const stepOther = isMerged ? 'least(previous_sequence, other)' : '0::bigint';
  const { rows } = await db.query<{
    sequence: bigint | null;
    next: bigint | null;
    other: bigint | null;
    end_next: bigint | null;
    end_other: bigint | null;
    looked: bigint;
  }>(
    `${writeScan(filter)},
     fitting as (select sequence, ${step} as next, ${stepOther} as other from seen where ${condition}
                 order by sequence desc limit $11),
     scan_end as (select count(*) as looked,
                    (select ${step} from seen order by sequence limit 1) as end_next,
                    (select ${stepOther} from seen order by sequence limit 1) as end_other from seen)
     select f.sequence, f.next, f.other, e.end_next, e.end_other, e.looked
     from scan_end e left join fitting f on true order by f.sequence desc`,
    [...valuesOf(filter, scan), scan.limit],
  );
  const sequences = rows.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));
  const end = rows[0];
  const isCut = sequences.length === scan.limit;
  const isSpent = Number(end?.looked ?? 0) === scan.rows;
  const last = isCut ? rows.at(-1) : undefined;
  const next = isCut ? last?.next : isSpent ? end?.end_next : undefined;
  const other = (isCut ? last?.other : end?.end_other) ?? 0n;
  return { sequences, next: next && next >= filter.first ? { next, other } : undefined };
}

export interface KindSum {
  readonly kind: number;
  readonly moved: boolean;
  readonly count: bigint;
  readonly amount: bigint;
  readonly shortfall: bigint;
}

export async function sumJournal(
  db: Queryable,
  filter: JournalFilter,
  scan: { start: MergePosition; rows: number },
) {
  const { rows } = await db.query<{
    kind: number | null;
    moved: boolean;
    count: string;
    amount: string;
    shortfall: string;
    looked: bigint;
    oldest: bigint | null;
    newest: bigint | null;
    accounts: bigint;
  }>(
    `${writeScan(filter)},
     fitting as (select kind, result in (0, 2, 3) as moved, amount, shortfall, sequence,
                   greatest(debit_account, credit_account) as account
                 from seen where ${condition}),
     sums as (select kind, moved, count(*)::text as count, sum(amount)::text as amount,
                coalesce(sum(shortfall), 0)::text as shortfall
              from fitting group by kind, moved)
     select s.*, (select count(*) from seen) as looked, (select min(sequence) from fitting) as oldest,
       (select max(sequence) from fitting) as newest,
       (select count(distinct account) from fitting) as accounts
     from (select 1) as one left join sums s on true order by s.kind, s.moved desc`,
    valuesOf(filter, scan),
  );
  const sums: KindSum[] = rows.flatMap(({ kind, moved, count, amount, shortfall }) =>
    kind === null
      ? []
      : [{ kind, moved, count: BigInt(count), amount: BigInt(amount), shortfall: BigInt(shortfall) }],
  );
  const [first] = rows;
  return {
    sums,
    looked: Number(first?.looked ?? 0),
    oldest: first?.oldest ?? undefined,
    newest: first?.newest ?? undefined,
    /** The number of different accounts to which the matching rows belong. */
    accounts: Number(first?.accounts ?? 0),
  };
}
