// A copy of a catalogue of the upstream, and the rule by which a copy may replace the previous one.

import { Type } from 'typebox';
import {
  type CatalogueContent,
  type CatalogueEntry,
  type CatalogueSource,
  sourceNames,
} from '../upstream/upstream.ts';

export interface Catalogue {
  readonly from: CatalogueSource;
  readonly hash: Buffer;
  /** The time at which the source last confirmed this content. */
  readonly takenAt: Date;
  readonly content: CatalogueContent;
  readonly byId: ReadonlyMap<string, CatalogueEntry>;
}

export interface ServedCatalogue {
  readonly catalogue: Catalogue;
  /** `stale`: no source answered, so `catalogue` is the last good copy. */
  readonly source: CatalogueSource | 'stale';
}

export const createCatalogue = (given: Omit<Catalogue, 'byId'>): Catalogue => ({
  ...given,
  byId: new Map(given.content.entries.map((entry) => [entry.gameId, entry])),
});

export const countGames = (catalogue: Catalogue): number => catalogue.content.entries.length;

/**
 * If a list has at most half of the games of the last good list, it is accepted after its source has sent it
 * for this time.
 */
const acceptedAfterMs = 10 * 60_000;

export interface Suspicion {
  readonly since: Date;
  readonly total: number;
}

export function classifyCatalogue(given: {
  total: number;
  /** The size of the last good list of the same source. */
  before: number | undefined;
  suspicion: Suspicion | undefined;
  /** The size that an administrator accepted although the list shrank. */
  accepted: number | undefined;
  now: Date;
}): 'good' | 'suspect' {
  const { total, before = 0, suspicion, accepted, now } = given;
  if (total > 0 && total * 2 > before) return 'good';
  if (accepted !== undefined && total >= accepted) return 'good';
  const sentForMs = suspicion ? now.getTime() - suspicion.since.getTime() : 0;
  return sentForMs >= acceptedAfterMs ? 'good' : 'suspect';
}

const time = Type.String({ format: 'date-time' });

const timeOrNull = Type.Union([time, Type.Null()]);

export const CatalogueName = Type.Enum(['private', 'public']);

export const UpstreamAnswer = Type.Object({
  sources: Type.Array(
    Type.Object({
      source: Type.Enum(sourceNames),
      breaker: Type.Enum(['closed', 'open', 'half_open'], {
        description: '`open`: no requests are sent to the source now.',
      }),
      last_success_at: timeOrNull,
      last_failure_at: timeOrNull,
      last_failure: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'The sources as this process has seen them.' },
  ),
  catalogue: Type.Union([
    Type.Object({
      source: Type.Enum(['private', 'public', 'stale']),
      taken_at: time,
      age_seconds: Type.Integer(),
      total: Type.Integer(),
    }),
    Type.Null(),
  ]),
  suspicions: Type.Array(Type.Object({ source: CatalogueName, total: Type.Integer(), since: time }), {
    description: 'Lists that are not accepted yet, because they are empty or shrank by half.',
  }),
  registrations_pending: Type.Integer(),
});
