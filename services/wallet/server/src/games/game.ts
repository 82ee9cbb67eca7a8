// A game and a list of games as answers show them, and the query parameters of a list of games.

import { integerForm } from '@counterfoil/kit/http/openapi/forms';
import { named, shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import { Cursor, parseCursor } from '../wire/paging.ts';
import type { GameFilter } from './list-games.ts';

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const GameAnswer = named(
  'Game',
  Type.Object({
    game_id: Type.String({ description: 'The id for `game/launch`.' }),
    game_name: Type.String(),
    provider: textOrNull,
    category: textOrNull,
    image: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    images: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'More pictures by their shape, such as `square` and `wide`.',
    }),
    rtp: Type.Union([Type.Number(), Type.Null()], {
      description: 'Return to player, in per cent.',
    }),
    volatility: textOrNull,
    has_demo: Type.Union([Type.Boolean(), Type.Null()]),
    platforms: Type.Union([Type.Array(Type.String()), Type.Null()]),
    status: Type.Union([Type.Enum(['active', 'maintenance', 'disabled']), Type.Null()]),
    source: Type.Optional(
      Type.String({
        description:
          'The id of the provider connection that the game comes from; absent for games of the provider ' +
          'that the service is configured with.',
      }),
    ),
  }),
);

export const GameList = Type.Object({
  games: Type.Array(GameAnswer, {
    description: 'In the order of their ids. A field that the provider does not send is null.',
  }),
  source: Type.Enum(['private', 'public', 'stale'], {
    description:
      'The API of the provider that sent the list; `stale` for the last good copy if neither answered.',
  }),
  updated_at: Type.String({
    format: 'date-time',
    description: 'When the provider last confirmed the list.',
  }),
  total: Type.Integer({ description: 'The number of games that match the filters, on all pages.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  sources: Type.Optional(
    Type.Array(
      Type.Object({
        source: Type.String({ description: 'The id of the provider connection.' }),
        state: Type.Enum(['current', 'stale', 'unavailable', 'too_large'], {
          description:
            '`stale`: the connection did not answer, and its last good copy is listed. ' +
            '`unavailable`: none of its games is listed, because it did not answer and has no copy. ' +
            '`too_large`: none of its games is listed, because its list exceeds a limit of the wallet.',
        }),
        updated_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When the connection last confirmed its list.',
        }),
        total: Type.Integer({ description: 'The number of games of the connection, before any filter.' }),
      }),
      {
        description:
          'The provider connections that list games, oldest first. Absent if the package has none.',
      },
    ),
  ),
});

const maxLimit = 1000;

export const GamesQuery = Type.Object({
  provider: Type.Optional(
    PrintableText({
      min: 1,
      max: 128,
      description: 'Only games of this provider, in any letter case.',
    }),
  ),
  category: Type.Optional(
    PrintableText({
      min: 1,
      max: 64,
      description: 'Only games of this category, in any letter case.',
    }),
  ),
  search: Type.Optional(
    PrintableText({
      min: 1,
      max: 128,
      description: 'A part of the name or the id, in any letter case.',
    }),
  ),
  limit: Type.Optional(
    shownAs(
      Type.String({
        pattern: '^[0-9]{1,4}$',
        description: `The largest number of games, from 1 to ${maxLimit}; all games by default.`,
      }),
      integerForm(1, maxLimit),
    ),
  ),
  cursor: Cursor,
});

export function readGamesQuery(query: Static<typeof GamesQuery>): GameFilter {
  const { provider, category, search } = query;
  const limit = query.limit === undefined ? undefined : Number(query.limit);
  if (limit !== undefined && (limit < 1 || limit > maxLimit)) {
    const sentence = `must be a number from 1 to ${maxLimit}.`;
    throw fail('invalid_parameter', { errors: { limit: [sentence] } });
  }
  return { provider, category, search, limit, after: parseCursor(query.cursor, 'games') };
}
