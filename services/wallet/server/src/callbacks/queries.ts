// Reads the callback log, and all attempts of one transaction id.
import { findPageEnd } from '@counterfoil/kit/http/parameters';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import { listMovementsByHash } from '../ledger/queries.ts';
import { hashId } from '../ledger/rules/ids.ts';
import { getSubject, type Movement } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import type { ListedAttempt } from '../transactions/attempt.ts';
import { listAttempts } from '../transactions/queries.ts';
import { formatCursor, parseCursorParts } from '../wire/paging.ts';
import type { ListedCallbackLine } from './callback-log.ts';
import { hashesOf } from './to-command.ts';

interface WantedLines {
  readonly packageId: number;
  readonly transactionId: string | undefined;
  readonly playerId?: string | undefined;
  readonly code?: string | undefined;
  readonly before?: { readonly at: Date; readonly id: bigint } | undefined;
  readonly limit: number;
}

/** Newest first. Each filter adds a separate condition, so that PostgreSQL can use its index. */
async function selectCallbackLines(db: Queryable, wanted: WantedLines): Promise<ListedCallbackLine[]> {
  const values: unknown[] = [wanted.packageId, wanted.limit];
  const conditions = ['package_id = $1'];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add((parameter) => `transaction_id = ${parameter}`, wanted.transactionId);
  add((parameter) => `player_id = ${parameter}`, wanted.playerId);
  add((parameter) => `code = ${parameter}`, wanted.code);
  if (wanted.before) {
    values.push(wanted.before.at, wanted.before.id);
    conditions.push(`(at, id) < ($${values.length - 1}, $${values.length})`);
  }
  const { rows } = await db.query(
    `select * from callback_log where ${conditions.join(' and ')}
     order by at desc, id desc limit $2`,
    values,
  );
  return rows.map(fromRow<ListedCallbackLine>);
}

const positionForm = /^(\d{1,15})-(\d{1,18})$/;

/** A page of a package's callback log, newest first. */
export async function listCallbacks(
  db: Queryable,
  wanted: Omit<WantedLines, 'before'> & { cursor: string | undefined },
): Promise<{ lines: ListedCallbackLine[]; nextCursor: string | null }> {
  const [time, id] = parseCursorParts(wanted.cursor, 'callbacks', positionForm);
  const before = id === undefined ? undefined : { at: new Date(Number(time)), id: BigInt(id) };
  const lines = await selectCallbackLines(db, { ...wanted, before });
  const last = findPageEnd(wanted.limit, lines);
  const next = last && `${last.at.getTime()}-${last.id}`;
  return { lines, nextCursor: formatCursor('callbacks', next) };
}

/** The most lines that are read from each log, newest first. */
const maxLines = 100;

export interface InspectedTransaction {
  readonly transactionId: string;
  readonly movements: readonly Movement[];
  readonly lines: readonly ListedCallbackLine[];
  readonly attempts: readonly ListedAttempt[];
  readonly players: ReadonlyMap<bigint, string>;
}

/** Every attempt of a transaction id, from the journal and from both logs. */
export async function inspectTransaction(
  db: Queryable,
  wanted: { packageId: number; transactionId: string },
): Promise<InspectedTransaction> {
  const { packageId, transactionId } = wanted;
  const hashes = [hashId('caller', transactionId), ...hashesOf(transactionId)];
  const movements = await listMovementsByHash(db, packageId, hashes);
  const lines = await selectCallbackLines(db, { packageId, transactionId, limit: maxLines });
  const attempts = await listAttempts(db, { packageId, transactionId, limit: maxLines });
  const isKnown = movements.length + lines.length + attempts.length > 0;
  if (!isKnown) throw fail('transaction_not_found');
  const accounts = movements.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  return { transactionId, movements, lines, attempts, players };
}
