// Long lists of the panel: the newest first, in pages, each with a cursor to the next.
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

const fallbackLimit = 50;

const Limit = Type.Optional(
  shownAs(
    Type.String({ pattern: '^([1-9][0-9]?|100)$', description: 'From 1 to 100; 50 if not given.' }),
    integerForm(1, 100),
  ),
);

/** Query parameters arrive as texts. A cursor is a position: it opens nothing. */
export const PageQuery = {
  limit: Limit,
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,18}(\\.[0-9]{1,18})?$',
      description: 'The `next_cursor` of the page before.',
    }),
  ),
};

export const NextCursor = Type.Optional(Type.String({ description: 'Absent on the last page.' }));

export interface Page {
  readonly limit: number;
  /** Where the page before ended: an id, or a time in milliseconds and an id. */
  readonly after: readonly bigint[];
}

export const readPage = (query: { limit?: string; cursor?: string }): Page => ({
  limit: query.limit === undefined ? fallbackLimit : Number(query.limit),
  after: query.cursor === undefined ? [] : query.cursor.split('.').map(BigInt),
});

/** A full page may have another behind it; a shorter one is the last. */
export function presentNext<Row>(
  page: Page,
  rows: readonly Row[],
  position: (row: Row) => readonly bigint[],
): { next_cursor?: string } {
  const last = rows.at(-1);
  return rows.length === page.limit && last ? { next_cursor: position(last).join('.') } : {};
}
