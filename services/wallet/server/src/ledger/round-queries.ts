// Reads rounds for other slices: the part of each player, the movements of a part, and lists of parts.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { findMergeStart, type MergePosition } from './queries.ts';
import type { RoundState } from './rules/decision.ts';
import { getSubject, type Movement } from './rules/movement.ts';
import { formatKey } from './rules/state.ts';
import { roundStates } from './store/batch-columns.ts';
import {
  fromJournalRow,
  fromRoundRow,
  type JournalRow,
  type RoundRow,
  roundFields,
} from './store/ledger-store.ts';
import { journalFields } from './store/write-statement.ts';

/** The part of one player in a round. Several players may have a part in the same round. */
export interface RoundPart extends RoundState {
  readonly openedAt: Date;
  readonly closedAt: Date | undefined;
}

type PartRow = RoundRow & { opened_at: Date; closed_at: Date | null };

const partFields = `${roundFields}, r.opened_at, r.closed_at`;

const fromRow = (row: PartRow): RoundPart => ({
  ...fromRoundRow(row),
  openedAt: row.opened_at,
  closedAt: row.closed_at ?? undefined,
});

/**
 * The accounts of one player: one account, or two if the player has promo money. Undefined means all players.
 */
type Accounts = readonly bigint[] | undefined;

export async function listRoundParts(
  db: Queryable,
  wanted: { packageId: number; hashes: readonly string[]; accounts: Accounts; limit: number },
): Promise<RoundPart[]> {
  const { rows } = await db.query<PartRow>(
    `select ${partFields} from rounds r
     where r.package_id = $1 and r.round_hash = any ($2::uuid[])
       and ($3::bigint[] is null or r.account_id = any ($3))
     order by r.account_id, r.round_hash limit $4`,
    [wanted.packageId, wanted.hashes, wanted.accounts ?? null, wanted.limit],
  );
  return rows.map(fromRow);
}

/**
 * The newest movements of a part, newest first. A movement that named no round is included if it settled or
 * rolled back a bet of the round.
 */
export async function listRoundMovements(
  db: Queryable,
  wanted: { packageId: number; part: RoundPart; limit: number },
): Promise<Movement[]> {
  const { packageId, part, limit } = wanted;
  const { rows } = await db.query<JournalRow>(
    `with recursive links as (
       select sequence, round_previous, id_hash, kind, 1 as place from journal
       where package_id = $1 and sequence = $2
       union all
       select j.sequence, j.round_previous, j.id_hash, j.kind, l.place + 1
       from links l join journal j on j.package_id = $1 and j.sequence = l.round_previous
       where l.place < $4),
     settling as (
       select j.sequence from links l
       join bet_states b on b.package_id = $1 and b.bet_hash = l.id_hash and b.account_id = $3
       join journal j on j.package_id = $1 and j.sequence = b.sequence
         and j.reference_hash = l.id_hash),
     found as (
       select j.* from (select sequence from links union select sequence from settling) as s
       join journal j on j.package_id = $1 and j.sequence = s.sequence)
     select ${journalFields} from found order by sequence desc`,
    [packageId, part.lastSequence, part.account, limit],
  );
  return rows.map(fromJournalRow);
}

interface OpenRoundsWanted {
  readonly packageId: number;
  readonly accounts: Accounts;
  readonly openedBefore: Date | undefined;
  readonly after: { readonly openedAt: Date; readonly account: bigint; readonly hash: string } | undefined;
  readonly limit: number;
}

/** Lists the open parts of rounds, oldest first. */
export async function listOpenRoundParts(db: Queryable, wanted: OpenRoundsWanted): Promise<RoundPart[]> {
  const { after } = wanted;
  const { rows } = await db.query<PartRow>(
    `select ${partFields} from rounds r
     where r.package_id = $1 and r.state = ${roundStates.open}
       and ($2::bigint[] is null or r.account_id = any ($2))
       and ($3::timestamptz is null or r.opened_at < $3)
       and ($4::timestamptz is null or (r.opened_at >= $4
         and (r.opened_at, r.account_id, r.round_hash) > ($4, $5::bigint, $6::uuid)))
     order by r.opened_at, r.account_id, r.round_hash limit $7`,
    [
      wanted.packageId,
      wanted.accounts ?? null,
      wanted.openedBefore ?? null,
      after?.openedAt ?? null,
      after?.account ?? null,
      after?.hash ?? null,
      wanted.limit,
    ],
  );
  return rows.map(fromRow);
}

/** How many rows of the journal one page may read. */
const maxScannedRows = 5000;

interface ScannedRounds {
  readonly rounds: readonly { readonly part: RoundPart; readonly end: MergePosition }[];
  /** The position at which the scan stopped; undefined if it reached the beginning of the journal. */
  readonly end: MergePosition | undefined;
}

/**
 * Lists rounds in the order in which they were opened, newest first. There is no index for this order. A page
 * therefore reads up to 5,000 rows of the journal, or of the player's accounts, and returns the position at
 * which it stopped. The row at `before` belongs to the previous page.
 */
export async function listOpenedRounds(
  db: Queryable,
  wanted: {
    packageId: number;
    accounts: readonly bigint[] | undefined;
    before: MergePosition | undefined;
    limit: number;
  },
): Promise<ScannedRounds> {
  const { packageId, accounts, before } = wanted;
  const start = before ?? (accounts && (await findMergeStart(db, packageId, accounts)));
  const { rows } = await db.query<
    PartRow & { sequence: bigint; other: bigint; last: bigint; last_other: bigint | null; more: boolean }
  >(
    `with recursive own as (
       select sequence, previous_sequence, $7::bigint as other, round_hash, round_previous, 1 as place,
         greatest(debit_account, credit_account) as account
       from journal where $2::bigint[] is not null and package_id = $1 and sequence = $6::bigint
       union all
       select j.sequence, j.previous_sequence, least(o.previous_sequence, o.other), j.round_hash,
         j.round_previous, o.place + 1, greatest(j.debit_account, j.credit_account)
       from own o join journal j on j.package_id = $1
         and j.sequence = greatest(o.previous_sequence, o.other)
       where o.place < $5),
     whole as (
       select sequence, 0::bigint as other, round_hash, round_previous,
         greatest(debit_account, credit_account) as account
       from journal where $2::bigint[] is null and package_id = $1
         and ($3::bigint is null or sequence < $3)
       order by sequence desc limit $5),
     seen as (
       select sequence, other, account, round_hash, round_previous from own
       where account = any ($2) and ($3::bigint is null or sequence < $3)
       union all select sequence, other, account, round_hash, round_previous from whole),
     opened as (
       select sequence, other, account, round_hash from seen
       where round_hash is not null and round_previous is null
       order by sequence desc limit $4)
     select o.sequence, o.other, ${partFields}, s.last, s.last_other, s.more
     from (select min(sequence) as last, (select other from own order by sequence limit 1) as last_other,
         coalesce((select greatest(previous_sequence, other) from own order by sequence limit 1),
           min(sequence) - 1) > 0 as more
       from seen) as s
     left join (opened o join rounds r on r.package_id = $1 and r.round_hash = o.round_hash
       and r.account_id = o.account) on true
     order by o.sequence desc`,
    [
      ...[packageId, accounts ?? null, before?.next ?? null, wanted.limit, maxScannedRows],
      ...[start?.next ?? null, start?.other ?? 0n],
    ],
  );
  const rounds = rows
    .filter((row) => row.sequence !== null)
    .map((row) => ({ part: fromRow(row), end: { next: row.sequence, other: row.other } }));
  if (rounds.length === wanted.limit) return { rounds, end: rounds.at(-1)?.end };
  const { last, last_other: other, more } = rows[0] ?? { last: null, last_other: null, more: false };
  return { rounds, end: more && last ? { next: last, other: other ?? 0n } : undefined };
}

/**
 * Lists the closed rounds of these movements. For each round, returns only the part of the movement's player.
 */
export async function listClosedRounds(
  db: Queryable,
  packageId: number,
  movements: readonly Movement[],
): Promise<(RoundPart & { closedBy: bigint })[]> {
  const wanted = new Map<string, { hash: string; account: bigint }>();
  for (const movement of movements) {
    const { roundHash: hash } = movement;
    if (hash === undefined) continue;
    const key = { hash, account: getSubject(movement).account };
    wanted.set(formatKey(key), key);
  }
  return wanted.size === 0 ? [] : selectClosedRounds(db, packageId, [...wanted.values()]);
}

/**
 * Selects closed parts of rounds, each with the sequence of the movement that closed the part. The query
 * starts at the newest movement of the part. From there it follows the links back to the movement that closed
 * the part.
 */
async function selectClosedRounds(
  db: Queryable,
  packageId: number,
  wanted: readonly { hash: string; account: bigint }[],
): Promise<(RoundPart & { closedBy: bigint })[]> {
  const { rows } = await db.query<PartRow & { closed_by: bigint }>(
    `select ${partFields}, (with recursive links as (
         select sequence, round_previous, created_at from journal
         where package_id = $1 and sequence = r.last_sequence
         union all
         select j.sequence, j.round_previous, j.created_at
         from links l join journal j on j.package_id = $1 and j.sequence = l.round_previous
         where l.created_at > r.closed_at)
       select min(sequence) from links) as closed_by
     from unnest($2::uuid[], $3::bigint[]) as k (hash, account)
     cross join lateral (select * from rounds r where r.package_id = $1 and r.round_hash = k.hash
       and r.account_id = k.account and r.state = ${roundStates.closed} limit 1) as r`,
    [packageId, wanted.map((each) => each.hash), wanted.map((each) => each.account)],
  );
  return rows.map((row) => ({ ...fromRow(row), closedBy: row.closed_by }));
}

/** Finds the ids of the rounds of these movements. The keys of the result are the hashes of the rounds. */
export async function nameRounds(
  db: Queryable,
  packageId: number,
  movements: readonly { roundHash: string | undefined }[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Set<string>();
  for (const { roundHash } of movements) if (roundHash !== undefined) hashes.add(roundHash);
  if (hashes.size === 0) return new Map();
  // The lateral join makes the planner look up each hash in the index. A plan that was made while the table
  // was small would otherwise scan the table.
  const { rows } = await db.query<{ round_hash: string; round_id: string }>({
    name: 'select_round_ids',
    text: `select replace(r.round_hash::text, '-', '') as round_hash, r.round_id
           from unnest($2::uuid[]) as k (hash)
           cross join lateral (select * from rounds r
             where r.package_id = $1 and r.round_hash = k.hash limit 1) as r`,
    values: [packageId, [...hashes]],
  });
  return new Map(rows.map((row) => [row.round_hash, row.round_id]));
}
