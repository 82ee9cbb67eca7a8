// The state of the provider connections that list and launch games, as this process has seen them.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import type { SourceHealth } from '../upstream/upstream.ts';
import { countGames } from './catalogue.ts';
import type { OpenSource } from './game-sources.ts';
import type { listConnectionCopies } from './queries.ts';

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

const states = [
  ...(['reachable', 'circuit_open', 'stale', 'unavailable', 'too_large'] as const),
  ...(['not_requested', 'never_read'] as const),
];
type SourceState = (typeof states)[number];

const copyFields = {
  updated_at: Type.String({
    format: 'date-time',
    description: 'When the provider last confirmed its list.',
  }),
  total: Type.Integer({ description: 'The number of games.' }),
};

export const GameSourceAnswer = named(
  'GameSource',
  Type.Object({
    source: Type.String({ description: 'The id of the provider connection.' }),
    state: Type.Enum([...states], {
      description:
        '`circuit_open`: after several failures, no lists or launch URLs are requested for some seconds. ' +
        '`stale`: the last request for the list failed, and the copy is listed. `unavailable`: it failed, ' +
        'and there is no copy. `too_large`: the list exceeds a limit of the wallet, and there is no copy. ' +
        '`not_requested`: this process has not requested the list yet, but there is a copy. ' +
        '`never_read`: no list was ever read.',
    }),
    copy: Type.Union([Type.Object(copyFields), Type.Null()], {
      description: 'The newest copy of the list, also if another process stored it. Null if there is none.',
    }),
    catalogue: Type.Union(
      [
        Type.Object({
          state: Type.Enum(['current', 'stale'], {
            description: '`stale`: the provider did not answer, and its last good copy is listed.',
          }),
          ...copyFields,
        }),
        Type.Null(),
      ],
      { description: 'The list that was served last. Null if this process has served none.' },
    ),
    list: CallHealth('Requests for the list of games.'),
    launch: CallHealth('Requests for launch URLs.'),
  }),
);

type Health = ReturnType<OpenSource['source']['health']>;
type StoredCopies = Awaited<ReturnType<typeof listConnectionCopies>>;

export function presentSource({ source, catalogue }: OpenSource, stored: StoredCopies) {
  const served = catalogue.peek();
  const health = source.health();
  const [list, launch] = health;
  const copies = [
    ...stored.filter((each) => each.connectionId === source.id && each.upstreamUrl === source.url),
    ...(served ? [{ takenAt: served.catalogue.takenAt, total: countGames(served.catalogue) }] : []),
  ];
  const copy = copies.sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime())[0];
  return {
    source: source.id,
    state: findState(health, served?.source === 'stale', copy !== undefined),
    copy: copy ? { updated_at: copy.takenAt.toISOString(), total: copy.total } : null,
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

function findState([list, launch]: Health, isStale: boolean, hasCopy: boolean): SourceState {
  if (list.breaker !== 'closed' || launch.breaker !== 'closed') return 'circuit_open';
  const { lastSuccessAt, lastFailureAt, lastFailure } = list;
  const isFailing = isStale || (lastFailureAt && !(lastSuccessAt && lastSuccessAt >= lastFailureAt));
  if (isFailing && hasCopy) return 'stale';
  if (isFailing) return lastFailure === 'too_large' ? 'too_large' : 'unavailable';
  if (lastSuccessAt) return 'reachable';
  return hasCopy ? 'not_requested' : 'never_read';
}
