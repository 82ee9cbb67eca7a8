// Reads of rounds: a player's part in one, its movements by their links, and lists.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { roundStates, toRoundStatus } from '../engine/batch.ts';
import type { RoundStatus } from '../rules/decision.ts';
import type { Movement } from '../rules/movement.ts';
import { fromJournalRow, type JournalRow } from './ledger-store.ts';
import { journalFields } from './write-statement.ts';

/** A player's part in a round, as it is kept. */
export interface RoundPart {
  readonly account: bigint;
  readonly roundHash: string;
  readonly roundId: string;
  readonly gameId: string | undefined;
  readonly status: RoundStatus;
  readonly betTotal: bigint;
  readonly winTotal: bigint;
  readonly lastSequence: bigint;
  readonly openedAt: Date;
  readonly closedAt: Date | undefined;
}

interface RoundRow {
  account_id: bigint;
  round_hash: string;
  round_id: string;
  game_id: string | null;
  state: number;
  bet_total: bigint;
  win_total: bigint;
  last_sequence: bigint;
  opened_at: Date;
  closed_at: Date | null;
}

const roundFields = `r.account_id, replace(r.round_hash::text, '-', '') as round_hash, r.round_id,
  r.game_id, r.state, r.bet_total, r.win_total, r.last_sequence, r.opened_at, r.closed_at`;

const fromRow = (row: RoundRow): RoundPart => ({
  account: row.account_id,
  roundHash: row.round_hash,
  roundId: row.round_id,
  gameId: row.game_id ?? undefined,
  status: toRoundStatus(row.state),
  betTotal: row.bet_total,
  winTotal: row.win_total,
  lastSequence: row.last_sequence,
  openedAt: row.opened_at,
  closedAt: row.closed_at ?? undefined,
});

export async function selectRoundParts(
  db: Queryable,
  wanted: { packageId: number; hash: string; account: bigint | undefined; limit: number },
): Promise<RoundPart[]> {
  const { rows } = await db.query<RoundRow>(
    `select ${roundFields} from rounds r
     where r.package_id = $1 and r.round_hash = $2::uuid
       and ($3::bigint is null or r.account_id = $3)
     order by r.account_id limit $4`,
    [wanted.packageId, wanted.hash, wanted.account ?? null, wanted.limit],
  );
  return rows.map(fromRow);
}

/**
 * The newest movements of a part, newest first: those that named the round, by their links, and those
 * that named none but decided the fate of a bet in it.
 */
export async function selectRoundMovements(
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
     fates as (
       select j.sequence from links l
       join bet_states b on b.package_id = $1 and b.bet_hash = l.id_hash and b.account_id = $3
       join journal j on j.package_id = $1 and j.sequence = b.sequence
         and j.reference_hash = l.id_hash),
     found as (
       select j.* from (select sequence from links union select sequence from fates) as s
       join journal j on j.package_id = $1 and j.sequence = s.sequence)
     select ${journalFields} from found order by sequence desc`,
    [packageId, part.lastSequence, part.account, limit],
  );
  return rows.map(fromJournalRow);
}

export interface OpenRoundsWanted {
  readonly packageId: number;
  readonly account: bigint | undefined;
  readonly openedBefore: Date | undefined;
  readonly after:
    | { readonly openedAt: Date; readonly account: bigint; readonly hash: string }
    | undefined;
  readonly limit: number;
}

/** Open rounds, the oldest first. */
export async function selectOpenRounds(
  db: Queryable,
  wanted: OpenRoundsWanted,
): Promise<RoundPart[]> {
  const { after } = wanted;
  const { rows } = await db.query<RoundRow>(
    `select ${roundFields} from rounds r
     where r.package_id = $1 and r.state = ${roundStates.open} and ($2::bigint is null or r.account_id = $2)
       and ($3::timestamptz is null or r.opened_at < $3)
       and ($4::timestamptz is null or (r.opened_at >= $4
         and (r.opened_at, r.account_id, r.round_hash) > ($4, $5::bigint, $6::uuid)))
     order by r.opened_at, r.account_id, r.round_hash limit $7`,
    [
      wanted.packageId,
      wanted.account ?? null,
      wanted.openedBefore ?? null,
      after?.openedAt ?? null,
      after?.account ?? null,
      after?.hash ?? null,
      wanted.limit,
    ],
  );
  return rows.map(fromRow);
}

export interface ScannedRounds {
  readonly rounds: readonly { readonly part: RoundPart; readonly sequence: bigint }[];
  /** Where the scan ended; undefined at the journal's beginning. */
  readonly end: bigint | undefined;
}

/**
 * Rounds by the movement that opened them, the newest first. No index is kept for this: it looks
 * through so many rows of the journal, or of the player's statement, and says where it stopped.
 */
export async function scanRounds(
  db: Queryable,
  wanted: {
    packageId: number;
    account: bigint | undefined;
    before: bigint | undefined;
    limit: number;
    rows: number;
  },
): Promise<ScannedRounds> {
  const { rows } = await db.query<RoundRow & { sequence: bigint; last: bigint; more: boolean }>(
    `with recursive own as (
       select sequence, previous_sequence, round_hash, round_previous, 1 as place,
         greatest(debit_account, credit_account) as account
       from journal where $2::bigint is not null and package_id = $1 and sequence = coalesce($3,
         (select last_sequence from accounts where package_id = $1 and id = $2))
       union all
       select j.sequence, j.previous_sequence, j.round_hash, j.round_previous, o.place + 1,
         greatest(j.debit_account, j.credit_account)
       from own o join journal j on j.package_id = $1 and j.sequence = o.previous_sequence
       where o.place < $5),
     whole as (
       select sequence, round_hash, round_previous,
         greatest(debit_account, credit_account) as account
       from journal where $2::bigint is null and package_id = $1
         and ($3::bigint is null or sequence < $3)
       order by sequence desc limit $5),
     seen as (
       select sequence, account, round_hash, round_previous from own
       where account = $2 and ($3::bigint is null or sequence < $3)
       union all select sequence, account, round_hash, round_previous from whole),
     opened as (
       select sequence, account, round_hash from seen
       where round_hash is not null and round_previous is null
       order by sequence desc limit $4)
     select o.sequence, ${roundFields}, s.last, s.more
     from (select min(sequence) as last, coalesce(
         (select previous_sequence from own order by sequence limit 1), min(sequence) - 1) > 0 as more
       from seen) as s
     left join (opened o join rounds r on r.package_id = $1 and r.round_hash = o.round_hash
       and r.account_id = o.account) on true
     order by o.sequence desc`,
    [wanted.packageId, wanted.account ?? null, wanted.before ?? null, wanted.limit, wanted.rows],
  );
  const rounds = rows
    .filter((row) => row.sequence !== null)
    .map((row) => ({ part: fromRow(row), sequence: row.sequence }));
  const isFull = rounds.length === wanted.limit;
  const { last, more } = rows[0] ?? { last: null, more: false };
  return { rounds, end: isFull ? rounds.at(-1)?.sequence : more && last ? last : undefined };
}

/**
 * Closed parts of rounds, each with the movement that closed it: the last at the time of closing, found
 * back over what came late. A page of the journal that holds it has the event of the round.
 */
export async function selectClosedRounds(
  db: Queryable,
  packageId: number,
  wanted: readonly { hash: string; account: bigint }[],
): Promise<(RoundPart & { closedBy: bigint })[]> {
  const { rows } = await db.query<RoundRow & { closed_by: bigint }>(
    `select ${roundFields}, (with recursive links as (
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

/** The names of rounds by their hashes; lateral, so that a plan made on a small table holds. */
export async function selectRoundIds(
  db: Queryable,
  packageId: number,
  hashes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ round_hash: string; round_id: string }>({
    name: 'select_round_ids',
    text: `select replace(r.round_hash::text, '-', '') as round_hash, r.round_id
           from unnest($2::uuid[]) as k (hash)
           cross join lateral (select * from rounds r
             where r.package_id = $1 and r.round_hash = k.hash limit 1) as r`,
    values: [packageId, hashes],
  });
  return new Map(rows.map((row) => [row.round_hash, row.round_id]));
}
