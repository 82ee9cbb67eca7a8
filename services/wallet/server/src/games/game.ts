// A game of the catalogue as answers describe it; the records themselves are finished JSON already.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const GameAnswer = named(
  'Game',
  Type.Object({
    game_id: Type.String({ description: 'What `game/launch` takes.' }),
    game_name: Type.String(),
    provider: textOrNull,
    category: textOrNull,
    image: Type.Union([Type.String({ format: 'uri' }), Type.Null()]),
    images: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'Further pictures by their form, such as `square` and `wide`.',
    }),
    rtp: Type.Union([Type.Number(), Type.Null()], {
      description: 'Return to player, in per cent.',
    }),
    volatility: textOrNull,
    has_demo: Type.Union([Type.Boolean(), Type.Null()]),
    platforms: Type.Union([Type.Array(Type.String()), Type.Null()]),
    status: Type.Union([Type.Enum(['active', 'maintenance', 'disabled']), Type.Null()]),
  }),
);

export const GameList = Type.Object({
  games: Type.Array(GameAnswer, {
    description: 'In the order of their ids. What the provider does not tell is null.',
  }),
  source: Type.Enum(['private', 'public', 'stale'], {
    description:
      'Which API of the provider told it; stale: none could, this is the last good copy.',
  }),
  updated_at: Type.String({ format: 'date-time', description: 'When the provider last said so.' }),
  total: Type.Integer({ description: 'After the filters, on all pages together.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
