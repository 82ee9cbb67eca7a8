// The state of the provider connections that list and launch games, as this process has seen them.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import type { SourceHealth } from '../upstream/upstream.ts';
import { countGames } from './catalogue.ts';
import type { OpenSource } from './game-sources.ts';

const timeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/** The state of the circuit breaker of a source, and the last success and failure of its calls. */
const HealthFields = {
  breaker: Type.Enum(['closed', 'open', 'half_open'], {
    description: '`open`: no requests are sent to the source now.',
  }),
  last_success_at: timeOrNull,
  last_failure_at: timeOrNull,
  last_failure: Type.Union([Type.String(), Type.Null()]),
};

export const presentHealth = (health: Omit<SourceHealth, 'source'>) => ({
  breaker: health.breaker,
  last_success_at: health.lastSuccessAt?.toISOString() ?? null,
  last_failure_at: health.lastFailureAt?.toISOString() ?? null,
  last_failure: health.lastFailure ?? null,
});

const CallHealth = (description: string) => Type.Object(HealthFields, { description });

export const GameSourceAnswer = named(
  'GameSource',
  Type.Object({
    source: Type.String({ description: 'The id of the provider connection.' }),
    catalogue: Type.Union(
      [
        Type.Object({
          state: Type.Enum(['current', 'stale'], {
            description: '`stale`: the provider did not answer, and its last good copy is listed.',
          }),
          updated_at: Type.String({
            format: 'date-time',
            description: 'When the provider last confirmed its list.',
          }),
          total: Type.Integer({ description: 'The number of games.' }),
        }),
        Type.Null(),
      ],
      { description: 'The list that was served last. Null if this process has served none.' },
    ),
    list: CallHealth('Requests for the list of games.'),
    launch: CallHealth('Requests for launch URLs.'),
  }),
);

export function presentSource({ source, catalogue }: OpenSource) {
  const served = catalogue.peek();
  const [list, launch] = source.health();
  return {
    source: source.id,
    catalogue: served
      ? {
          state: served.source === 'stale' ? ('stale' as const) : ('current' as const),
          updated_at: served.catalogue.takenAt.toISOString(),
          total: countGames(served.catalogue),
        }
      : null,
    list: presentHealth(list),
    launch: presentHealth(launch),
  };
}
