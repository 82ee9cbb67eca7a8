// The statements that write a batch of one package. Each statement has the package as a parameter.

import { plainColumn } from '@counterfoil/kit/postgres/array-text';
import type { QueryRequest } from '@counterfoil/kit/postgres/db';
import { kinds, results } from '../rules/movement.ts';
import { assumedColumns, betStates, type PackageEffects, roundStates } from './batch-columns.ts';

/**
 * Finds ids that exist already, and existing bets and rounds that the decisions assumed absent. If it finds
 * nothing, it locks the head. An id that exists must be found here: the error of an insert would end the
 * transaction, and this may be the transaction of a caller.
 */
const checkText = `
with known as materialized (
  select 1 from unnest($3::uuid[]) as k (id_hash)
  cross join lateral (select 1 from journal j
    where j.package_id = $1 and j.id_hash = k.id_hash limit 1) as j
), unforeseen as materialized (
  select 1 from unnest($4::uuid[], $5::bigint[]) as k (hash, account_id)
  cross join lateral (select 1 from bet_states b where b.package_id = $1
    and b.bet_hash = k.hash and b.account_id = k.account_id limit 1) as b
  union all
  select 1 from unnest($6::uuid[], $7::bigint[]) as k (hash, account_id)
  cross join lateral (select 1 from rounds r where r.package_id = $1
    and r.round_hash = k.hash and r.account_id = k.account_id limit 1) as r
), locked as materialized (
  select sequence, hash, players_version from ledger_heads
  where package_id = $1 and not exists (select from known) and not exists (select from unforeseen)
  for update
)
select exists (select from locked where sequence = $2 and hash = $8) as ok,
  exists (select from known) as known, exists (select from unforeseen) as unforeseen,
  (select players_version::text from locked) as version`;

export function checkRequest(effect: PackageEffects): QueryRequest {
  const ids = plainColumn();
  for (const { movement } of effect.rows) ids.push(movement.idHash);
  const [, bets, betAccounts, , rounds, roundAccounts] = assumedColumns([effect]);
  const head = [effect.packageId, effect.expectedSequence];
  const assumed = [bets, betAccounts, rounds, roundAccounts];
  const values = [...head, ids.text(), ...assumed, effect.expectedHash];
  return { name: 'check_package', text: checkText, values };
}

type Row = readonly unknown[];

/**
 * Builds `insert … values` with a parameter for every value. Citus cannot find the shard of an insert in any
 * other form.
 */
function insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  after = '',
): QueryRequest | undefined {
  if (rows.length === 0) return undefined;
  let parameter = 0;
  const list = rows.map((row) => `(${row.map(() => `$${++parameter}`).join(', ')})`).join(', ');
  const text = `insert into ${table} (${columns.join(', ')}) values ${list} ${after}`;
  return { text, values: rows.flat() };
}

const journalNames = [
  ...['package_id', 'sequence', 'previous_sequence', 'debit_account', 'credit_account', 'amount'],
  ...['debit_balance', 'credit_balance', 'created_at', 'kind', 'result', 'id_hash', 'hash'],
  ...['transaction_id', 'note_hash', 'reference_hash', 'round_hash', 'round_previous', 'game_id'],
  'shortfall',
];

function journalRows({ packageId, rows }: PackageEffects, now: Date): Row[] {
  return rows.map(({ movement: m, hash }) => [
    ...[packageId, m.sequence, m.previousSequence, m.debitAccount, m.creditAccount, m.amount],
    ...[m.debitBalance, m.creditBalance, now, kinds[m.kind], results[m.result], m.idHash, hash],
    ...[m.transactionId, m.noteHash, m.referenceHash, m.roundHash, m.roundPrevious, m.gameId],
    m.shortfall,
  ]);
}

/**
 * The statements that write a batch of one package. A statement that would write no rows is undefined. For
 * example, a refused top-up changes no account, so the statement for accounts is undefined if the batch
 * contains nothing else.
 */
export interface PackageWrites {
  readonly journal: QueryRequest | undefined;
  /** This statement returns one row per account. `updated` is false if the account did not exist. */
  readonly accounts: QueryRequest | undefined;
  readonly head: QueryRequest;
  /** The statements that write notes, bets and rounds. */
  readonly rest: readonly (QueryRequest | undefined)[];
}

export function writeRequests(effect: PackageEffects, now: Date): PackageWrites {
  const { packageId } = effect;
  const accounts = [...effect.accounts].map(([id, account]) => [
    ...[packageId, id, account.balance, account.lastSequence, now],
  ]);
  return {
    journal: insertRows('journal', journalNames, journalRows(effect, now)),
    accounts: insertRows(
      'accounts',
      ['package_id', 'id', 'balance', 'last_sequence', 'updated_at'],
      accounts,
      `on conflict (package_id, id) do update set balance = excluded.balance,
        last_sequence = excluded.last_sequence, updated_at = excluded.updated_at
       returning xmax::text <> '0' as updated`,
    ),
    head: {
      name: 'move_head',
      text: 'update ledger_heads set sequence = $2, hash = $3 where package_id = $1',
      values: [packageId, effect.sequence, effect.hash],
    },
    rest: [noteRequest(effect), betRequest(effect), roundRequest(effect, now)],
  };
}

function noteRequest({ packageId, rows }: PackageEffects): QueryRequest | undefined {
  const noted = rows.filter((row) => row.note !== '');
  const values = noted.map(({ movement, note }) => [packageId, movement.sequence, note]);
  return insertRows('journal_notes', ['package_id', 'sequence', 'note'], values);
}

const betRequest = ({ packageId, bets }: PackageEffects): QueryRequest | undefined =>
  insertRows(
    'bet_states',
    ['package_id', 'bet_hash', 'account_id', 'state', 'sequence'],
    [...bets.values()].map((bet) => [
      ...[packageId, bet.hash, bet.account, betStates[bet.status], bet.sequence],
    ]),
    `on conflict (package_id, bet_hash, account_id)
     do update set state = excluded.state, sequence = excluded.sequence`,
  );

const roundNames = [
  ...['package_id', 'round_hash', 'account_id', 'state', 'bet_total', 'win_total', 'last_sequence'],
  ...['round_id', 'game_id', 'zero_bets', 'opened_at', 'closed_at'],
];

function roundRequest({ packageId, rounds }: PackageEffects, now: Date): QueryRequest | undefined {
  const rows = [...rounds.values()].map((round) => [
    ...[packageId, round.hash, round.account, roundStates[round.status]],
    ...[round.betTotal, round.winTotal, round.lastSequence, round.id, round.gameId, round.zeroBets],
    now,
    round.status === 'closed' ? now : undefined,
  ]);
  return insertRows(
    'rounds as r',
    roundNames,
    rows,
    `on conflict (package_id, round_hash, account_id)
     do update set state = excluded.state, bet_total = excluded.bet_total,
       win_total = excluded.win_total, last_sequence = excluded.last_sequence,
       game_id = excluded.game_id, zero_bets = excluded.zero_bets,
       closed_at = coalesce(r.closed_at, excluded.closed_at)`,
  );
}
