// Reads and writes `ledger_heads`, `accounts`, `journal`, `bet_states` and `rounds`.

import { plainColumn } from '@counterfoil/kit/postgres/array-text';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { BetState, RoundState } from '../rules/decision.ts';
import { kindOf, type Movement, resultOf } from '../rules/movement.ts';
import type { AccountState } from '../rules/state.ts';
import {
  accountColumns,
  assumedColumns,
  betColumns,
  gameColumns,
  hasGames,
  headColumns,
  journalColumns,
  noteColumns,
  type PackageEffects,
  proofColumn,
  roundColumns,
  toBetStatus,
  toRoundStatus,
} from './batch-columns.ts';
import { journalFields, writeStatement } from './write-statement.ts';

export interface JournalRow {
  package_id: number;
  sequence: bigint;
  previous_sequence: bigint;
  debit_account: bigint;
  credit_account: bigint;
  amount: bigint;
  debit_balance: bigint;
  credit_balance: bigint;
  created_at: Date;
  kind: number;
  result: number;
  id_hash: string;
  hash: Buffer;
  transaction_id: string;
  note_hash: string | null;
  reference_hash: string | null;
  round_hash: string | null;
  round_previous: bigint | null;
  game_id: string | null;
  shortfall: bigint | null;
}

export function fromJournalRow(row: JournalRow): Movement {
  return {
    packageId: row.package_id,
    sequence: row.sequence,
    previousSequence: row.previous_sequence,
    kind: kindOf(row.kind),
    result: resultOf(row.result),
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    amount: row.amount,
    debitBalance: row.debit_balance,
    creditBalance: row.credit_balance,
    idHash: row.id_hash,
    transactionId: row.transaction_id,
    createdAtMs: row.created_at.getTime(),
    noteHash: row.note_hash ?? undefined,
    referenceHash: row.reference_hash ?? undefined,
    roundHash: row.round_hash ?? undefined,
    roundPrevious: row.round_previous ?? undefined,
    gameId: row.game_id ?? undefined,
    shortfall: row.shortfall ?? undefined,
  };
}

const statements = { plain: writeStatement(false), games: writeStatement(true) };

export type WriteResult =
  /**
   * The batch was written. `versions` has the `players_version` of each package, by ascending
   * package id.
   */
  | { readonly kind: 'written'; readonly versions: readonly string[] }
  /** Another process has moved a head; nothing was written. */
  | { readonly kind: 'stale' }
  /** A bet or round that was assumed absent exists; nothing was written. */
  | { readonly kind: 'unforeseen' }
  /** Some ids exist already; nothing was written. */
  | { readonly kind: 'known' };

/**
 * Writes a batch in one statement. If an id exists already, nothing is written and the promise rejects with a
 * unique violation. The error also ends an open transaction, so a caller with a transaction must first have
 * looked up the ids under the lock of the head.
 */
export async function writeBatch(
  db: Queryable,
  batch: readonly PackageEffects[],
  now: Date,
): Promise<WriteResult> {
  const games = hasGames(batch);
  const { rows } = await db.query<{ ok: boolean; unforeseen: boolean; versions: string[] }>({
    name: games ? 'write_games' : 'write_plain',
    text: games ? statements.games : statements.plain,
    values: [
      ...headColumns(batch),
      now,
      ...journalColumns(batch),
      ...accountColumns(batch),
      ...noteColumns(batch),
      ...(games
        ? [gameColumns, betColumns, roundColumns, assumedColumns].flatMap((columns) => columns(batch))
        : []),
      proofColumn(batch),
    ],
  });
  if (rows[0]?.ok) return { kind: 'written', versions: rows[0].versions };
  return { kind: rows[0]?.unforeseen ? 'unforeseen' : 'stale' };
}

export interface Head {
  readonly packageId: number;
  readonly sequence: bigint;
  readonly hash: Buffer;
  readonly accounts: ReadonlyMap<bigint, AccountState>;
}

interface HeadRow {
  package_id: number;
  sequence: bigint;
  hash: Buffer;
  id: bigint;
  balance: bigint;
  last_sequence: bigint;
}

/** Reads the journal heads of packages, each with the package's own accounts, in one statement. */
export async function selectHeads(db: Queryable, packageIds: readonly number[]): Promise<Head[]> {
  const [only] = packageIds;
  const isOne = packageIds.length === 1;
  const { rows } = await db.query<HeadRow>({
    name: isOne ? 'select_head' : 'select_heads',
    text: `select h.package_id, h.sequence, h.hash, a.id, a.balance, a.last_sequence
           from ledger_heads h
           join accounts a on a.package_id = ${isOne ? '$1' : 'h.package_id'} and a.id in (1, 2, 3)
           where h.package_id = ${isOne ? '$1' : 'any ($1::int[])'}`,
    values: [isOne ? only : packageIds],
  });
  const heads = new Map<number, Head & { accounts: Map<bigint, AccountState> }>();
  for (const row of rows) {
    const { package_id: packageId, sequence, hash } = row;
    const head = heads.get(packageId) ?? { packageId, sequence, hash, accounts: new Map() };
    head.accounts.set(row.id, { balance: row.balance, lastSequence: row.last_sequence });
    heads.set(packageId, head);
  }
  return [...heads.values()];
}

export async function lockHeads(tx: Tx, packageIds: readonly number[]): Promise<void> {
  await tx.query(
    `select 1 from ledger_heads where package_id = any ($1::int[]) order by package_id for update`,
    [packageIds],
  );
}

export async function updatePlayersVersion(db: Queryable, packageId: number): Promise<void> {
  await db.query('update ledger_heads set players_version = players_version + 1 where package_id = $1', [
    packageId,
  ]);
}

/** Keys of one type, which belong to one package or to several. */
export type Keys = readonly { readonly packageId: number; readonly key: string | bigint }[];

interface LookUp {
  /** SQL for the wanted keys as the rows of a table `k`. */
  readonly keys: string;
  /**
   * SQL for the package of a key. If all keys have the same package, this is a single value, so that Citus
   * queries only the node of that package.
   */
  readonly packageOf: string;
}

/**
 * Builds a query by keys. Keys of one package and keys of several packages need different SQL, so the
 * statements have different names.
 */
function lookUp(
  keys: Keys,
  { name, type, column }: { name: string; type: 'bigint' | 'uuid'; column: string },
  text: (form: LookUp) => string,
): { name: string; text: string; values: unknown[] } {
  const [packages, wanted] = [plainColumn(), plainColumn()];
  const only = keys[0]?.packageId;
  let isOne = true;
  for (const { packageId, key } of keys) {
    isOne &&= packageId === only;
    packages.push(packageId);
    wanted.push(key);
  }
  if (isOne) {
    const form = { keys: `unnest($2::${type}[]) as k (${column})`, packageOf: '$1::int' };
    return { name: `${name}_of_one`, text: text(form), values: [only, wanted.text()] };
  }
  const columns = `$1::int[], $2::${type}[]`;
  const form = {
    keys: `unnest(${columns}) as k (package_id, ${column})`,
    packageOf: 'k.package_id',
  };
  return { name, text: text(form), values: [packages.text(), wanted.text()] };
}

export async function selectAccounts(
  db: Queryable,
  keys: Keys,
): Promise<{ packageId: number; id: bigint; account: AccountState; updatedAt: Date }[]> {
  const { rows } = await db.query<Omit<HeadRow, 'sequence' | 'hash'> & { updated_at: Date }>(
    lookUp(
      keys,
      { name: 'select_accounts', type: 'bigint', column: 'id' },
      (form) => `select a.package_id, a.id, a.balance, a.last_sequence, a.updated_at
           from ${form.keys}
           cross join lateral (select * from accounts a
             where a.package_id = ${form.packageOf} and a.id = k.id limit 1) as a`,
    ),
  );
  return rows.map((row) => ({
    packageId: row.package_id,
    id: row.id,
    account: { balance: row.balance, lastSequence: row.last_sequence },
    updatedAt: row.updated_at,
  }));
}

export async function selectMovements(db: Queryable, keys: Keys): Promise<Movement[]> {
  const { rows } = await db.query<JournalRow>(
    lookUp(
      keys,
      { name: 'select_movements', type: 'uuid', column: 'id_hash' },
      (form) => `select ${journalFields} from (
             select j.* from ${form.keys}
             cross join lateral (select * from journal j
               where j.package_id = ${form.packageOf} and j.id_hash = k.id_hash limit 1) as j)
           as found`,
    ),
  );
  return rows.map(fromJournalRow);
}

export async function selectBets(db: Queryable, keys: Keys): Promise<{ packageId: number; bet: BetState }[]> {
  const { rows } = await db.query<{
    package_id: number;
    bet_hash: string;
    account_id: bigint;
    state: number;
  }>(
    lookUp(
      keys,
      { name: 'select_bets', type: 'uuid', column: 'bet_hash' },
      (form) => `select b.package_id, replace(b.bet_hash::text, '-', '') as bet_hash,
             b.account_id, b.state
           from ${form.keys}
           cross join lateral (select * from bet_states b
             where b.package_id = ${form.packageOf} and b.bet_hash = k.bet_hash offset 0) as b`,
    ),
  );
  return rows.map((row) => ({
    packageId: row.package_id,
    bet: { hash: row.bet_hash, account: row.account_id, status: toBetStatus(row.state) },
  }));
}

export interface RoundRow {
  package_id: number;
  round_hash: string;
  account_id: bigint;
  round_id: string;
  game_id: string | null;
  state: number;
  bet_total: bigint;
  win_total: bigint;
  zero_bets: number;
  last_sequence: bigint;
}

/** The columns of a `RoundRow` in a query on `rounds r`. */
export const roundFields = `r.package_id, replace(r.round_hash::text, '-', '') as round_hash,
  r.account_id, r.round_id, r.game_id, r.state, r.bet_total, r.win_total, r.zero_bets, r.last_sequence`;

export const fromRoundRow = (row: RoundRow): RoundState => ({
  account: row.account_id,
  hash: row.round_hash,
  id: row.round_id,
  gameId: row.game_id ?? undefined,
  status: toRoundStatus(row.state),
  betTotal: row.bet_total,
  winTotal: row.win_total,
  zeroBets: row.zero_bets,
  lastSequence: row.last_sequence,
});

/** Reads the parts of all players in the rounds. A batch uses only the parts of its own players. */
export async function selectRounds(
  db: Queryable,
  keys: Keys,
): Promise<{ packageId: number; round: RoundState }[]> {
  const { rows } = await db.query<RoundRow>(
    lookUp(
      keys,
      { name: 'select_rounds', type: 'uuid', column: 'round_hash' },
      (form) => `select ${roundFields}
           from ${form.keys}
           cross join lateral (select * from rounds r
             where r.package_id = ${form.packageOf} and r.round_hash = k.round_hash offset 0) as r`,
    ),
  );
  return rows.map((row) => ({ packageId: row.package_id, round: fromRoundRow(row) }));
}

export async function insertLedgerRows(tx: Tx, packageId: number, genesis: Buffer): Promise<void> {
  await tx.query('insert into ledger_heads (package_id, hash) values ($1, $2)', [packageId, genesis]);
  await tx.query(
    'insert into accounts (package_id, id) select $1::int, id from generate_series(1, 3) as id',
    [packageId],
  );
}

export async function insertAccountOnce(db: Queryable, packageId: number, id: bigint): Promise<void> {
  await db.query('insert into accounts (package_id, id) values ($1, $2) on conflict do nothing', [
    packageId,
    id,
  ]);
}

export async function insertPlayerAccountRow(tx: Queryable, packageId: number): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into accounts (package_id, id) values ($1, nextval('player_account_ids')) returning id`,
    [packageId],
  );
  return (rows[0] as { id: bigint }).id;
}

/**
 * Deletes the notes of an account's movements. The query follows the links between the rows of the account.
 */
export async function deleteNotes(tx: Tx, wanted: { packageId: number; account: bigint }): Promise<void> {
  await tx.query(
    `with recursive links as (
       select last_sequence as sequence from accounts where package_id = $1 and id = $2
       union all
       select j.previous_sequence from links l
       join journal j on j.package_id = $1 and j.sequence = l.sequence)
     delete from journal_notes n using links l
     where n.package_id = $1 and n.sequence = l.sequence`,
    [wanted.packageId, wanted.account],
  );
}
