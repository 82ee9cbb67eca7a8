// The log of a package's callbacks, page by page, the newest first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { formatCursor, parseCursor } from '../wire/paging.ts';
import type { ListedCallbackLine } from './callback-line.ts';
import { selectCallbackLines, type WantedLines } from './store.ts';

const placeForm = /^(\d{1,15})-(\d{1,18})$/;

export async function listCallbacks(
  db: Queryable,
  wanted: Omit<WantedLines, 'before'> & { cursor: string | undefined },
): Promise<{ lines: ListedCallbackLine[]; nextCursor: string | null }> {
  const place = parseCursor(wanted.cursor, 'callbacks');
  const [, time, id] = (place !== undefined && placeForm.exec(place)) || [];
  if (place !== undefined && id === undefined) {
    throw fail('invalid_parameter', { errors: { cursor: ['is not a cursor of this list.'] } });
  }
  const before = id === undefined ? undefined : { at: new Date(Number(time)), id: BigInt(id) };
  const lines = await selectCallbackLines(db, { ...wanted, before });
  const last = lines.length === wanted.limit ? lines.at(-1) : undefined;
  const next = last && `${last.at.getTime()}-${last.id}`;
  return { lines, nextCursor: formatCursor('callbacks', next) };
}
