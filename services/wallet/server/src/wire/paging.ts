// Pages of lists: a limit, and an opaque cursor that names the list and the start of the next page.
import { Nullable } from '@counterfoil/kit/http/answers';
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { defaultPageLimit, findPageEnd } from '@counterfoil/kit/http/parameters';
import { isPrintable } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { MergePosition } from '../ledger/queries.ts';

interface LimitRange {
  readonly max: number;
  /** The limit of a request that names no limit. */
  readonly fallback: number;
}

/** The parameter `limit` of a list of `entries`. */
export const LimitOf = (entries: string, { max, fallback }: LimitRange) =>
  Type.Optional(
    shownAs(
      Type.String({
        pattern: `^[0-9]{1,${String(max).length}}$`,
        description: `The most ${entries} per page, from 1 to ${max}; ${fallback} by default.`,
      }),
      integerForm(1, max),
    ),
  );

const pageLimit = { max: 100, fallback: defaultPageLimit };
export const Limit = LimitOf('entries', pageLimit);

/**
 * The longest cursor. A cursor of the player search contains a name and an id, with up to 4 bytes per
 * character.
 */
const maxLength = 2048;

export const Cursor = Type.Optional(
  shownAs(Type.String({ maxLength, description: 'The `next_cursor` of the previous page.' }), {
    type: 'string',
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
  }),
);

const invalid = (field: string, sentence: string) =>
  fail('invalid_parameter', { errors: { [field]: [sentence] } });

export function parseLimit(given: string | undefined, { max, fallback }: LimitRange = pageLimit): number {
  const limit = given === undefined ? fallback : Number(given);
  if (limit < 1 || limit > max) throw invalid('limit', `must be a number from 1 to ${max}.`);
  return limit;
}

/** A cursor names the list that it belongs to, so that a cursor of a different list is refused. */
export const formatCursor = (list: string, position: string | bigint | undefined): string | null =>
  position === undefined ? null : Buffer.from(`${list}:${position}`, 'utf8').toString('base64url');

export const refuseCursor = () => invalid('cursor', 'is not a cursor of this list.');

const wholeNumber = /^[0-9]{1,18}$/;

const textLists = [
  'players',
  'found_players',
  'games',
  'open_rounds',
  'callbacks',
  'provider_calls',
  'rounds',
  'journal',
] as const;

/** The lists whose cursor contains a text. */
type TextList = (typeof textLists)[number];
/** The lists whose cursor contains a number. */
type NumberedList = 'packages' | 'audit' | 'top_ups' | 'sessions' | 'statement';
type List = TextList | NumberedList;

export function parseCursor(given: string | undefined, list: List): string | undefined {
  if (given === undefined) return undefined;
  const text = Buffer.from(given, 'base64url').toString('utf8');
  const position = text.startsWith(`${list}:`) ? text.slice(list.length + 1) : '';
  const isSound = formatCursor(list, position) === given && isPrintable(position);
  const isText = textLists.some((each) => each === list);
  if (!isSound || (!isText && !wholeNumber.test(position))) throw refuseCursor();
  return position;
}

export function parseNumberCursor(given: string | undefined, list: NumberedList): bigint | undefined {
  const position = parseCursor(given, list);
  return position === undefined ? undefined : BigInt(position);
}

/** Parses a cursor whose position consists of several values. Returns an empty list if no cursor is given. */
export function parseCursorParts(given: string | undefined, list: TextList, form: RegExp): string[] {
  const position = parseCursor(given, list);
  if (position === undefined) return [];
  const [, ...parts] = form.exec(position) ?? [];
  if (parts.length === 0) throw refuseCursor();
  return parts;
}

const mergeForm = /^(\d{1,18})(?:-(\d{1,18}))?$/;

/**
 * Parses a cursor of the rounds or of the journal. The cursor has two numbers if the page merges the
 * movements of a player's cash and promo account, and otherwise one number.
 */
export function parseMergeCursor(
  given: string | undefined,
  list: 'rounds' | 'journal',
): MergePosition | undefined {
  const [next, other = '0'] = parseCursorParts(given, list, mergeForm);
  return next === undefined ? undefined : { next: BigInt(next), other: BigInt(other) };
}

export const formatMergeCursor = (
  list: 'rounds' | 'journal',
  position: MergePosition | undefined,
): string | null =>
  formatCursor(list, position && `${position.next}${position.other > 0n ? `-${position.other}` : ''}`);

export const PageQuery = { limit: Limit, cursor: Cursor };
export const NextCursor = Nullable(Type.String(), { description: 'Null on the last page.' });

/** A page of a list that is ordered by number, newest first. */
export interface Page {
  readonly list: NumberedList;
  readonly limit: number;
  /** The position of the last entry on the previous page. */
  readonly before: bigint | undefined;
}

export function readPage(query: { limit?: string; cursor?: string }, list: NumberedList): Page {
  const before = parseNumberCursor(query.cursor, list);
  return { list, limit: parseLimit(query.limit), before };
}

export function presentNext<Row>(
  page: Page,
  rows: readonly Row[],
  positionOf: (row: Row) => bigint | number,
): { next_cursor: string | null } {
  const last = findPageEnd(page.limit, rows);
  return { next_cursor: formatCursor(page.list, last && BigInt(positionOf(last))) };
}
