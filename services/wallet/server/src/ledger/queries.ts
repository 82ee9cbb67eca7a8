// Queries on the journal and the accounts, for use by other slices.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashId } from './rules/ids.ts';
import { creditAccount, houseAccount, type Movement } from './rules/movement.ts';
import { betStates } from './store/batch-columns.ts';
import { fromJournalRow, type JournalRow, selectMovements } from './store/ledger-store.ts';
import { journalFields } from './store/write-statement.ts';

/** The last sequence of a package's journal; 0 if the journal is empty. */
export async function findHead(db: Queryable, packageId: number): Promise<bigint> {
  const { rows } = await db.query<{ sequence: bigint }>(
    'select sequence from ledger_heads where package_id = $1',
    [packageId],
  );
  return rows[0]?.sequence ?? 0n;
}

/** The sequence of an account's newest movement; 0 if the account has no movement. */
async function findLastSequence(db: Queryable, packageId: number, account: bigint): Promise<bigint> {
  const { rows } = await db.query<{ last_sequence: bigint }>({
    name: 'select_last_sequence',
    text: 'select last_sequence from accounts where package_id = $1 and id = $2',
    values: [packageId, account],
  });
  return rows[0]?.last_sequence ?? 0n;
}

/**
 * A position in the movements of a player's two accounts, which are read together, newest first. `next` is
 * the sequence of the newest row that was not read yet. `other` is the sequence of the newest unread row of
 * the account to which `next` does not belong. `other` is 0 if all rows of that account were read.
 */
export interface MergePosition {
  readonly next: bigint;
  readonly other: bigint;
}

/**
 * The position of the newest movement of one or two accounts. The movements are read backwards from there.
 */
export async function findMergeStart(
  db: Queryable,
  packageId: number,
  accounts: readonly bigint[],
): Promise<MergePosition> {
  const { rows } = await db.query<{ last_sequence: bigint }>({
    name: 'select_last_sequences',
    text: `select last_sequence from accounts where package_id = $1 and id = any ($2::bigint[])
           order by last_sequence desc`,
    values: [packageId, accounts],
  });
  return { next: rows[0]?.last_sequence ?? 0n, other: rows[1]?.last_sequence ?? 0n };
}

/** The package's prepaid credit. */
export async function getCredit(db: Queryable, packageId: number): Promise<bigint> {
  const { rows } = await db.query<{ balance: bigint }>({
    name: 'select_balance',
    text: 'select balance from accounts where package_id = $1 and id = $2',
    values: [packageId, creditAccount],
  });
  const [account] = rows;
  if (!account) throw new Error(`package ${packageId} has no credit account`);
  return account.balance;
}

/**
 * A movement, the hash of its row, and its note. The note is undefined if the movement has no note or if the
 * note was erased.
 */
export interface JournalEntry {
  readonly movement: Movement;
  readonly hash: Buffer;
  readonly note: string | undefined;
}

type EntryRow = JournalRow & { note: string | null };

const fromEntryRow = (row: EntryRow): JournalEntry => ({
  movement: fromJournalRow(row),
  hash: row.hash,
  note: row.note ?? undefined,
});

/**
 * An SQL expression for the note of the row `found`. The first parameter of the statement must be the
 * package.
 */
const noteOf = `(select note from journal_notes n
  where n.package_id = $1 and n.sequence = found.sequence) as note`;

/** Finds the movement of a caller's transaction by the transaction id. */
export async function findCallerMovement(
  db: Queryable,
  packageId: number,
  transactionId: string,
): Promise<JournalEntry | undefined> {
  const { rows } = await db.query<EntryRow>({
    name: 'select_movement_by_id',
    text: `select ${journalFields}, ${noteOf}
           from (select * from journal where package_id = $1 and id_hash = $2::uuid) as found`,
    values: [packageId, hashId('caller', transactionId)],
  });
  return rows[0] && fromEntryRow(rows[0]);
}

/** The movements with any of these id hashes, oldest first. */
export async function listMovementsByHash(
  db: Queryable,
  packageId: number,
  hashes: readonly string[],
): Promise<Movement[]> {
  const found = await selectMovements(
    db,
    hashes.map((key) => ({ packageId, key })),
  );
  return found.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
}

/** The last movement that was stored with a provider's request. */
export async function findMovementOfRequest(
  db: Queryable,
  packageId: number,
  requestHash: string,
): Promise<Movement | undefined> {
  const { rows } = await db.query<JournalRow>(
    `select ${journalFields} from journal
     where package_id = $1 and sequence = (select sequence from bet_states
       where package_id = $1 and bet_hash = $2 and account_id = $3)`,
    [packageId, requestHash, houseAccount],
  );
  return rows[0] && fromJournalRow(rows[0]);
}

/** Finds movements by their names (see `rules/names.ts`). The keys of the result are the names. */
export async function findMovementsByName(
  db: Queryable,
  packageId: number,
  names: readonly string[],
): Promise<Map<string, Movement>> {
  const { rows } = await db.query<JournalRow & { name: string }>({
    name: 'select_movements_by_name',
    text: `select ${journalFields}, replace(name::text, '-', '') as name from (
             select j.*, b.bet_hash as name from unnest($2::uuid[]) as k (bet_hash)
             cross join lateral (select * from bet_states b where b.package_id = $1
               and b.bet_hash = k.bet_hash and b.account_id = $3 and b.state = $4 limit 1) as b
             cross join lateral (select * from journal j where j.package_id = $1
               and j.sequence = b.sequence limit 1) as j) as found`,
    values: [packageId, names, houseAccount, betStates.named],
  });
  return new Map(rows.map((row) => [row.name, fromJournalRow(row)]));
}

interface NamedMovement {
  /** The hash of the id or of the name by which the movement was found. */
  readonly hash: string;
  readonly movement: Movement;
}

/** Lists the movements that have one of the hashes as their id or as their name, oldest first. */
export async function listNamedMovements(
  db: Queryable,
  packageId: number,
  hashes: readonly string[],
): Promise<NamedMovement[]> {
  const [byId, byName] = await Promise.all([
    listMovementsByHash(db, packageId, hashes),
    findMovementsByName(db, packageId, hashes),
  ]);
  const found = new Map<bigint, NamedMovement>();
  for (const [hash, movement] of byName) found.set(movement.sequence, { hash, movement });
  for (const movement of byId) found.set(movement.sequence, { hash: movement.idHash, movement });
  return [...found.values()].sort((a, b) => (a.movement.sequence < b.movement.sequence ? -1 : 1));
}

export interface StatementPage {
  readonly movements: JournalEntry[];
  /** The sequence at which the next page starts; undefined on the last page. */
  readonly next: bigint | undefined;
}

/**
 * A page of a player's statement, newest first. `from` is the first row of the page. If the row `from`
 * belongs to a different account, the page is empty.
 */
export async function listMovements(
  db: Queryable,
  wanted: { packageId: number; account: bigint; from: bigint | undefined; limit: number },
): Promise<StatementPage> {
  const { packageId, account, limit } = wanted;
  const sequence = wanted.from ?? (await findLastSequence(db, packageId, account));
  if (sequence === 0n) return { movements: [], next: undefined };
  const movements = await selectStatement(db, { packageId, sequence, limit });
  const first = movements[0]?.movement;
  const isOwn = first?.debitAccount === account || first?.creditAccount === account;
  if (!isOwn) return { movements: [], next: undefined };
  const previous = movements.at(-1)?.movement.previousSequence ?? 0n;
  return { movements, next: previous === 0n ? undefined : previous };
}

/**
 * Selects rows of an account, newest first, starting at the row `sequence`. Each row contains the sequence of
 * the account's previous row, and the query follows these links.
 */
async function selectStatement(
  db: Queryable,
  wanted: { packageId: number; sequence: bigint; limit: number },
): Promise<JournalEntry[]> {
  const { rows } = await db.query<EntryRow>({
    name: 'select_statement',
    text: `with recursive links as (
             select sequence, previous_sequence, 1 as place from journal
             where package_id = $1 and sequence = $2
             union all
             select j.sequence, j.previous_sequence, l.place + 1
             from links l join journal j on j.package_id = $1 and j.sequence = l.previous_sequence
             where l.place < $3)
           select ${journalFields}, ${noteOf}
           from (select j.* from links l join journal j on j.package_id = $1
                   and j.sequence = l.sequence) as found
           order by sequence desc`,
    values: [wanted.packageId, wanted.sequence, wanted.limit],
  });
  return rows.map(fromEntryRow);
}

/** A package's top-ups and their reversals, newest first. */
export async function listTopUps(
  db: Queryable,
  wanted: { packageId: number; before: bigint | undefined; limit: number },
): Promise<JournalEntry[]> {
  // The kinds are literals, not parameters: the planner then knows that the partial index covers them.
  const { rows } = await db.query<EntryRow>(
    `select ${journalFields}, ${noteOf}
     from (select * from journal
           where package_id = $1 and kind in (3, 4) and sequence < coalesce($2, 9223372036854775807)
           order by sequence desc limit $3) as found
     order by sequence desc`,
    [wanted.packageId, wanted.before ?? null, wanted.limit],
  );
  return rows.map(fromEntryRow);
}

/** A page of a package's journal, oldest first. */
export async function listJournalPage(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<JournalEntry[]> {
  const { rows } = await db.query<EntryRow>({
    name: 'list_journal_page',
    text: `select ${journalFields}, ${noteOf}
           from (select * from journal where package_id = $1 and sequence > $2
                 order by sequence limit $3) as found
           order by sequence`,
    values: [wanted.packageId, wanted.after, wanted.limit],
  });
  return rows.map(fromEntryRow);
}

/** Entries of a package's journal by their sequences, newest first. */
export async function listJournalRows(
  db: Queryable,
  packageId: number,
  sequences: readonly bigint[],
): Promise<JournalEntry[]> {
  if (sequences.length === 0) return [];
  const { rows } = await db.query<EntryRow>({
    name: 'list_journal_rows',
    text: `select ${journalFields}, ${noteOf}
           from (select * from journal
                 where package_id = $1 and sequence = any ($2::bigint[])) as found
           order by sequence desc`,
    values: [packageId, sequences],
  });
  return rows.map(fromEntryRow);
}

export interface CreditStep {
  readonly sequence: bigint;
  readonly at: Date;
  /** Undefined if the movement did not change the credit. */
  readonly credit: bigint | undefined;
}

/** A page of a package's journal, oldest first, with the package's credit after each movement. */
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

/** The package's credit and the last sequence of its journal, read in one statement. */
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

const dayMs = 86_400_000;
const maxCreditUseRows = 20_000;

export interface CreditPace {
  /**
   * The amounts that were credited to players minus the amounts that were debited from players. Top-ups are
   * not counted.
   */
  readonly spent: bigint;
  readonly overMs: number;
}

/**
 * How much credit the package used in the last day. At most the newest 20,000 movements are read. If the last
 * day has more movements, the result covers only the time since the oldest movement that was read.
 */
export async function measureCreditUse(db: Queryable, packageId: number, now: Date): Promise<CreditPace> {
  const dayAgo = new Date(now.getTime() - dayMs);
  const { rows } = await db.query<{ spent: string; since: Date | null; looked: bigint }>({
    name: 'select_credit_use',
    text: `select count(*) as looked, min(created_at) as since,
             coalesce(sum(case when result <> 0 then 0 when kind = 1 then amount
                               when kind = 2 then -amount else 0 end), 0)::text as spent
           from (select created_at, kind, result, amount from journal where package_id = $1
                 order by sequence desc limit $3) as latest
           where created_at >= $2`,
    values: [packageId, dayAgo, maxCreditUseRows],
  });
  const { spent = '0', since = null, looked = 0n } = rows[0] ?? {};
  const isCut = Number(looked) === maxCreditUseRows;
  const start = isCut && since ? since : dayAgo;
  return { spent: BigInt(spent), overMs: Math.max(1, now.getTime() - start.getTime()) };
}

/**
 * The maximum number of rows that are added up for one balance. This number of rows takes a few seconds. An
 * account with more rows can only be checked by the proof of the whole ledger.
 */
const maxProofRows = 100_000;

export interface BalanceProof {
  readonly balance: bigint;
  readonly movements: bigint;
  readonly sum: bigint;
  /**
   * The number of rows that belong to a different account, or whose balance is not the previous balance plus
   * the row's change.
   */
  readonly broken: bigint;
  /** The balance before the oldest row that was read. */
  readonly opening: bigint;
  readonly reachedStart: boolean;
  /** Whether no row is broken and the stored balance is `opening` plus `sum`. */
  readonly holds: boolean;
}

/**
 * Adds up the newest movements of an account, at most `maxProofRows`. A single statement reads all these
 * movements, so a concurrent write does not change the result.
 */
export async function proveBalance(
  db: Queryable,
  wanted: { packageId: number; account: bigint },
): Promise<BalanceProof | undefined> {
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
    [wanted.packageId, wanted.account, maxProofRows],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { balance, movements, broken } = row;
  const [sum, opening] = [BigInt(row.sum), row.opening ?? 0n];
  const holds = broken === 0n && opening + sum === balance;
  const reachedStart = row.reached_start ?? true;
  return { balance, movements, sum, broken, opening, reachedStart, holds };
}
