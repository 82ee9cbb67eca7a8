// How the upstream is doing, as answers show it.
import { Type } from 'typebox';
import { sourceNames } from '../upstream/upstream.ts';

const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);
export const CatalogueName = Type.Enum(['private', 'public']);

export const UpstreamAnswer = Type.Object({
  sources: Type.Array(
    Type.Object({
      source: Type.Enum([...sourceNames]),
      breaker: Type.Enum(['closed', 'open', 'half_open'], { description: 'Open: not asked now.' }),
      last_success_at: timeOrNull,
      last_failure_at: timeOrNull,
      last_failure: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'As this process has seen them.' },
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
  suspicions: Type.Array(
    Type.Object({ source: CatalogueName, total: Type.Integer(), since: time }),
    {
      description: 'Lists that are not believed yet, because they are empty or shrank by half.',
    },
  ),
  registrations_pending: Type.Integer(),
});
