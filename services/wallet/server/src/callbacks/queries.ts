// Reads the callback log.
import { findPageEnd } from '@counterfoil/kit/http/parameters';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import { formatCursor, parseCursorParts } from '../wire/paging.ts';
import type { ListedCallbackLine } from './callback-log.ts';

interface WantedLines {
  readonly packageId: number;
  readonly transactionId: string | undefined;
  readonly playerId?: string | undefined;
  readonly code?: string | undefined;
  readonly before?: { readonly at: Date; readonly id: bigint } | undefined;
  readonly limit: number;
}

/**
 * Lists the lines, newest first. Each filter adds a separate condition, so that PostgreSQL can use the index
 * of that filter.
 */
export async function selectCallbackLines(db: Queryable, wanted: WantedLines): Promise<ListedCallbackLine[]> {
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
