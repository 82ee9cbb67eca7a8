// Pages of long lists, the newest entries first, each with a cursor to the next page.
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { defaultPageLimit, findPageEnd } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';

const Limit = Type.Optional(
  shownAs(
    Type.String({ pattern: '^([1-9][0-9]?|100)$', description: 'From 1 to 100; 50 if not given.' }),
    integerForm(1, 100),
  ),
);

/** Query parameters arrive as texts. A cursor only names a position in a list, so it need not be secret. */
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
  /** The position of the last entry on the previous page: an id, or a time in milliseconds and an id. */
  readonly after: readonly bigint[];
}

export const readPage = (query: { limit?: string; cursor?: string }): Page => ({
  limit: query.limit === undefined ? defaultPageLimit : Number(query.limit),
  after: query.cursor === undefined ? [] : query.cursor.split('.').map(BigInt),
});

export function presentNext<Row>(
  page: Page,
  rows: readonly Row[],
  position: (row: Row) => readonly bigint[],
): { next_cursor?: string } {
  const last = findPageEnd(page.limit, rows);
  return last === undefined ? {} : { next_cursor: position(last).join('.') };
}
