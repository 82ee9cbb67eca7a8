// Pages of lists: how many, and an opaque mark of where the next one starts.
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
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
  const limit = given === undefined ? 50 : Number(given);
  if (limit < 1 || limit > 100) throw invalid('limit', 'must be a number from 1 to 100.');
  return limit;
}

/** A cursor names the list that it belongs to, so that one of another list is refused. */
export const formatCursor = (list: string, place: string | undefined): string | null =>
  place === undefined ? null : Buffer.from(`${list}:${place}`, 'utf8').toString('base64url');

export const refuseCursor = () => invalid('cursor', 'is not a cursor of this list.');

const wholeNumber = /^[0-9]{1,18}$/;

/** Lists whose place is a text; in the others it is a number. */
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
  const place = text.startsWith(`${list}:`) ? text.slice(list.length + 1) : '';
  const isSound = formatCursor(list, place) === given && isPrintable(place);
  const isByText = textual.includes(list);
  if (!isSound || (!isByText && !wholeNumber.test(place))) {
    throw refuseCursor();
  }
  return place;
}
