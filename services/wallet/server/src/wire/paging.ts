// Pages of lists: a limit, and an opaque cursor that names the list and the start of the next page.
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { defaultPageLimit, findPageEnd } from '@counterfoil/kit/http/parameters';
import { isPrintable } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../errors.ts';

export const Limit = Type.Optional(
  shownAs(
    Type.String({
      pattern: '^[0-9]{1,3}$',
      description: 'How many at most, from 1 to 100; 50 unless told.',
    }),
    integerForm(1, 100),
  ),
);

/** A cursor of the search for players holds a name and an id, each of up to 4 bytes a character. */
const maxLength = 2048;

export const Cursor = Type.Optional(
  shownAs(Type.String({ maxLength, description: 'The `next_cursor` of the page before.' }), {
    type: 'string',
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
  }),
);

const invalid = (field: string, sentence: string) =>
  fail('invalid_parameter', { errors: { [field]: [sentence] } });

export function parseLimit(given: string | undefined): number {
  const limit = given === undefined ? defaultPageLimit : Number(given);
  if (limit < 1 || limit > 100) throw invalid('limit', 'must be a number from 1 to 100.');
  return limit;
}

/** A cursor names the list that it belongs to, so that one of another list is refused. */
export const formatCursor = (list: string, position: string | undefined): string | null =>
  position === undefined ? null : Buffer.from(`${list}:${position}`, 'utf8').toString('base64url');

export const refuseCursor = () => invalid('cursor', 'is not a cursor of this list.');

const wholeNumber = /^[0-9]{1,18}$/;

/** Lists whose position is a text. In the others it is a number. */
const textual = ['players', 'found_players', 'games', 'open_rounds', 'callbacks'];

export function parseCursor(
  given: string | undefined,
  list:
    | 'statement'
    | 'players'
    | 'found_players'
    | 'packages'
    | 'audit'
    | 'top_ups'
    | 'games'
    | 'sessions'
    | 'rounds'
    | 'open_rounds'
    | 'callbacks'
    | 'journal',
): string | undefined {
  if (given === undefined) return undefined;
  const text = Buffer.from(given, 'base64url').toString('utf8');
  const position = text.startsWith(`${list}:`) ? text.slice(list.length + 1) : '';
  const isSound = formatCursor(list, position) === given && isPrintable(position);
  const isByText = textual.includes(list);
  if (!isSound || (!isByText && !wholeNumber.test(position))) throw refuseCursor();
  return position;
}

export const PageQuery = { limit: Limit, cursor: Cursor };
export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Null on the last page.',
});

/** Lists by number, newest first. */
type NumberedList = 'packages' | 'audit' | 'top_ups' | 'sessions';

export interface Page {
  readonly list: NumberedList;
  readonly limit: number;
  /** The end of the page before. */
  readonly before: bigint | undefined;
}

export function readPage(query: { limit?: string; cursor?: string }, list: NumberedList): Page {
  const position = parseCursor(query.cursor, list);
  const before = position === undefined ? undefined : BigInt(position);
  return { list, limit: parseLimit(query.limit), before };
}

export function presentNext<Row>(
  page: Page,
  rows: readonly Row[],
  positionOf: (row: Row) => bigint | number,
): { next_cursor: string | null } {
  const last = findPageEnd(page.limit, rows);
  return { next_cursor: formatCursor(page.list, last && String(positionOf(last))) };
}
