// Collects the jobs of a delivery run: waiting events that are due, and new events of the streams.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type Endpoint, maxWaiting } from '../endpoints/endpoint.ts';
import type { StreamEvent, WebhookTables } from '../outbox/event.ts';
import { countWaiting, selectDueWaiting, selectWaitingSubjects } from '../store/waiting.ts';
import type { Job } from './ordered-queues.ts';

const window = 128;
/** While the receiver fails, a run reads at most two waiting events and two new positions of each stream. */
const windowWhileFailing = 2;

export interface Gathered {
  readonly jobs: readonly Job[];
  /** Jobs that cannot run yet, because an earlier event of their subject is waiting. */
  readonly behind: readonly Job[];
  /** The ids of rows in `webhook_waiting` whose event has been deleted. */
  readonly lost: readonly bigint[];
  readonly cursors: readonly bigint[];
  readonly isFull: boolean;
}

export async function gatherJobs(
  db: Queryable,
  tables: WebhookTables,
  endpoint: Endpoint,
  at: Date,
): Promise<Gathered> {
  const limit = endpoint.failingSince ? windowWhileFailing : window;
  const due = await selectDueWaiting(db, tables, { ...endpoint, at, limit });
  const known = await findEvents(db, tables, {
    tenant: endpoint.tenant,
    ids: due.map((each) => each.eventId),
  });
  const waiting = due.flatMap(({ id, eventId, attempts, since }): Job[] => {
    const event = known.get(eventId);
    return event ? [{ event, attempts, waiting: { id, since } }] : [];
  });
  const lost = due.filter((each) => !known.has(each.eventId)).map((each) => each.id);
  const isCrowded = (await countWaiting(db, tables, endpoint)) + window > maxWaiting;
  const fresh = await readStreams(db, tables, { endpoint, limit: isCrowded ? 0 : limit });
  const subjects = [...new Set(fresh.events.map((event) => event.subject))];
  const blocked =
    subjects.length > 0 ? await selectWaitingSubjects(db, tables, { ...endpoint, subjects }) : new Set();
  const jobs = fresh.events.map((event): Job => ({ event, attempts: 0 }));
  return {
    jobs: [...waiting, ...jobs.filter((job) => !blocked.has(job.event.subject))],
    behind: jobs.filter((job) => blocked.has(job.event.subject)),
    lost,
    cursors: fresh.cursors,
    isFull: due.length === limit || fresh.isFull,
  };
}

export async function findEvents(
  db: Queryable,
  tables: WebhookTables,
  wanted: { tenant: bigint; ids: readonly string[] },
) {
  if (wanted.ids.length === 0) return new Map();
  const found = await Promise.all(tables.streams.map((stream) => stream.find(db, wanted)));
  return new Map(found.flat().map((event) => [event.id, event]));
}

async function readStreams(
  db: Queryable,
  { streams }: WebhookTables,
  wanted: { endpoint: Endpoint; limit: number },
) {
  const { endpoint, limit } = wanted;
  const events: StreamEvent[] = [];
  const cursors: bigint[] = [];
  let isFull = false;
  for (const [i, stream] of streams.entries()) {
    const after = endpoint.cursors[i] ?? 0n;
    if (limit === 0) {
      cursors.push(after);
      continue;
    }
    if (!stream.types.some((type) => endpoint.events.includes(type))) {
      cursors.push(await stream.head(db, endpoint.tenant));
      continue;
    }
    const read = await stream.read(db, { tenant: endpoint.tenant, after, limit });
    events.push(...read.events.filter((event) => endpoint.events.includes(event.type)));
    cursors.push(read.upTo);
    isFull ||= read.upTo >= after + BigInt(limit);
  }
  return { events, cursors, isFull };
}
