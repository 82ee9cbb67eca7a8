// The single statement that writes a batch: it checks, locks and writes everything, or nothing.

/** The columns of a journal row for reading. */
export const journalFields = `package_id, sequence, previous_sequence, debit_account, credit_account,
  amount, debit_balance, credit_balance, created_at, kind, result,
  replace(id_hash::text, '-', '') as id_hash, hash, transaction_id,
  replace(note_hash::text, '-', '') as note_hash,
  replace(reference_hash::text, '-', '') as reference_hash,
  replace(round_hash::text, '-', '') as round_hash, round_previous, game_id, shortfall`;

/**
 * The plan of this statement is cached. A plan that was made on a small table must also be right for a large
 * table, so the statement leaves the planner no choice of order. Look-ups are lateral joins with a limit.
 * Existing rows are updated through `on conflict`, and `xmax` shows whether a row was updated or inserted.
 *
 * The batch was decided on the cached state of each package. The parts of the statement check this state:
 * - `unforeseen` finds bets and rounds that were assumed absent.
 * - If it finds nothing, `locked` locks the heads in the order of their packages. All processes use this
 *   order, so they cannot deadlock.
 * - `fresh` is true if every head still has the sequence and the hash that the decisions were based on. Only
 *   then are rows written. Every write moves the head, so every balance that a decision used is current.
 * - `inserted` violates the unique index on (package_id, id_hash) if an id exists already. The statement then
 *   fails and writes nothing. A look-up of all ids would cost every batch a tenth of PostgreSQL's time.
 */
export function writeStatement(games: boolean): string {
  const extra = games ? ', reference_hash, round_hash, round_previous, game_id, shortfall' : '';
  const extraArrays = games ? ', $27::uuid[], $28::uuid[], $29::bigint[], $30::text[], $31::bigint[]' : '';
  const proof = games ? '$53' : '$27';
  return `
with ${games ? unforeseenPart : ''}locked as materialized (
  select package_id, sequence, hash, players_version from ledger_heads
  where package_id = any ($1::int[]) ${games ? 'and not exists (select from unforeseen)' : ''}
  order by package_id for update
), fresh as materialized (
  select count(*) = cardinality($1::int[]) as ok
  from unnest($1::int[], $2::bigint[], ${proof}::bytea[]) as e (package_id, sequence, hash)
  join locked l on l.package_id = e.package_id and l.sequence = e.sequence and l.hash = e.hash
), moved as (
  insert into ledger_heads (package_id, sequence, hash)
  select n.* from unnest($1::int[], $3::bigint[], $4::bytea[]) as n
  where (select ok from fresh)
  on conflict (package_id) do update set sequence = excluded.sequence, hash = excluded.hash
), inserted as (
  insert into journal (package_id, sequence, previous_sequence, debit_account, credit_account,
    amount, debit_balance, credit_balance, kind, result, id_hash, hash, transaction_id,
    note_hash${extra}, created_at)
  select n.*, $5::timestamptz
  from unnest($6::int[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
    $12::bigint[], $13::bigint[], $14::smallint[], $15::smallint[], $16::uuid[], $17::bytea[],
    $18::text[], $19::uuid[]${extraArrays}) as n
  where (select ok from fresh)
  returning 1
), balanced as (
  insert into accounts as a (package_id, id, balance, last_sequence, updated_at)
  select n.*, $5::timestamptz
  from unnest($20::int[], $21::bigint[], $22::bigint[], $23::bigint[]) as n
  where (select ok from fresh)
  on conflict (package_id, id) do update set balance = excluded.balance,
    last_sequence = excluded.last_sequence, updated_at = excluded.updated_at
  returning xmax
), noted as (
  insert into journal_notes (package_id, sequence, note)
  select n.* from unnest($24::int[], $25::bigint[], $26::text[]) as n
  where (select ok from fresh)
)${games ? gameParts : ''}
select ledger_written(fresh.ok, (select count(*) from inserted), cardinality($7::bigint[]),
    (select count(*) from balanced where xmax <> '0'), cardinality($21::bigint[])) as ok,
  ${games ? 'exists (select from unforeseen)' : 'false'} as unforeseen,
  (select array_agg(players_version::text order by package_id) from locked) as versions
from fresh`;
}

/** Finds bets and rounds that exist although the decisions assumed them absent. */
const unforeseenPart = `unforeseen as materialized (
  select 1 from unnest($47::int[], $48::uuid[], $49::bigint[]) as k (package_id, hash, account_id)
  cross join lateral (select 1 from bet_states b where b.package_id = k.package_id
    and b.bet_hash = k.hash and b.account_id = k.account_id limit 1) as b
  union all
  select 1 from unnest($50::int[], $51::uuid[], $52::bigint[]) as k (package_id, hash, account_id)
  cross join lateral (select 1 from rounds r where r.package_id = k.package_id
    and r.round_hash = k.hash and r.account_id = k.account_id limit 1) as r
), `;

const gameParts = `, bets as (
  insert into bet_states (package_id, bet_hash, account_id, state, sequence)
  select n.* from unnest($32::int[], $33::uuid[], $34::bigint[], $35::smallint[], $36::bigint[]) as n
  where (select ok from fresh)
  on conflict (package_id, bet_hash, account_id)
  do update set state = excluded.state, sequence = excluded.sequence
), played as (
  insert into rounds as r (package_id, round_hash, account_id, state, bet_total, win_total,
    last_sequence, round_id, game_id, zero_bets, opened_at, closed_at)
  select n.*, $5::timestamptz, case when n.state = 1 then $5::timestamptz end
  from unnest($37::int[], $38::uuid[], $39::bigint[], $40::smallint[], $41::bigint[], $42::bigint[],
    $43::bigint[], $44::text[], $45::text[], $46::int[])
    as n (package_id, round_hash, account_id, state, bet_total, win_total, last_sequence, round_id,
      game_id, zero_bets)
  where (select ok from fresh)
  on conflict (package_id, round_hash, account_id)
  do update set state = excluded.state, bet_total = excluded.bet_total,
    win_total = excluded.win_total, last_sequence = excluded.last_sequence,
    game_id = excluded.game_id, zero_bets = excluded.zero_bets,
    closed_at = coalesce(r.closed_at, excluded.closed_at)
)`;
