// Lists by number, newest first: a page's limit, where it starts, and the mark of the next one.
import { Type } from 'typebox';
import { Cursor, formatCursor, Limit, parseCursor, parseLimit } from './cursor.ts';

export const PageQuery = { limit: Limit, cursor: Cursor };
export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Null on the last page.',
});

type List = 'packages' | 'audit' | 'top_ups' | 'sessions';

export interface Page {
  readonly list: List;
  readonly limit: number;
  /** Where the page before ended. */
  readonly before: bigint | undefined;
}

export function readPage(query: { limit?: string; cursor?: string }, list: List): Page {
  const place = parseCursor(query.cursor, list);
  const before = place === undefined ? undefined : BigInt(place);
  return { list, limit: parseLimit(query.limit), before };
}

/** A full page may have another behind it; a shorter one is the last. */
export function presentNext<Row>(
  page: Page,
  rows: readonly Row[],
  place: (row: Row) => bigint | number,
): { next_cursor: string | null } {
  const last = rows.length === page.limit ? rows.at(-1) : undefined;
  return { next_cursor: formatCursor(page.list, last && String(place(last))) };
}
