// The optional parameters of a list of games, and how they are read.
import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { Cursor, parseCursor } from '../wire/paging.ts';
import type { GameFilter } from './list-games.ts';

const maxLimit = 1000;

export const GamesQuery = Type.Object({
  provider: Type.Optional(
    PrintableText({ min: 1, max: 128, description: 'Games of this provider; letter case aside.' }),
  ),
  category: Type.Optional(
    PrintableText({ min: 1, max: 64, description: 'Games of this category; letter case aside.' }),
  ),
  search: Type.Optional(
    PrintableText({ min: 1, max: 128, description: 'A part of the name or the id.' }),
  ),
  limit: Type.Optional(
    shownAs(
      Type.String({
        pattern: '^[0-9]{1,4}$',
        description: `How many at most, from 1 to ${maxLimit}; all unless told.`,
      }),
      integerForm(1, maxLimit),
    ),
  ),
  cursor: Cursor,
});

interface SentQuery {
  readonly provider?: string;
  readonly category?: string;
  readonly search?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

export function readGamesQuery(query: SentQuery): GameFilter {
  const { provider, category, search } = query;
  const limit = query.limit === undefined ? undefined : Number(query.limit);
  if (limit !== undefined && (limit < 1 || limit > maxLimit)) {
    const sentence = `must be a number from 1 to ${maxLimit}.`;
    throw fail('invalid_parameter', { errors: { limit: [sentence] } });
  }
  return { provider, category, search, limit, after: parseCursor(query.cursor, 'games') };
}
