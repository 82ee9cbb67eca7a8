// Queues past events for an endpoint again: one event by its id, or all events since a time.

import { findEvents } from '../dispatcher/gather-jobs.ts';
import { type Endpoint, type EndpointKey, maxWaiting } from '../endpoints/endpoint.ts';
import { type ManageDeps, onEndpoint, type RecordChange } from '../endpoints/manage-endpoints.ts';
import { hastenEndpoint } from '../store/leases.ts';
import { countWaiting, insertWaiting } from '../store/waiting.ts';
import type { EventStream, WebhookEvent } from './event.ts';

const pageSize = 500;
/** The maximum number of pages. A replay that would read more pages is refused. */
const maxPages = 200;

/**
 * Queues events and returns their number. The events keep their ids, so that receivers recognize duplicates.
 */
export async function replayEvents(
  deps: ManageDeps,
  key: EndpointKey,
  wanted: { eventId: string } | { since: Date },
  record: RecordChange,
): Promise<number> {
  return await onEndpoint(deps, key, async (tx, endpoint) => {
    const { tables, errors } = deps;
    const room = maxWaiting - (await countWaiting(tx, tables, key));
    const list = { ...deps, db: tx, endpoint, room };
    const events =
      'eventId' in wanted ? await findOne(list, wanted.eventId) : await listSince(list, wanted.since);
    if (!events) throw errors.fail('webhook_event_not_found');
    if (events.length > room) throw errors.fail('webhook_queue_full');
    const at = deps.now();
    const rows = events.map(({ id, subject }) => ({ eventId: id, subject, attempts: 0, nextAttemptAt: at }));
    await insertWaiting(tx, tables, { ...key, at, events: rows });
    await hastenEndpoint(tx, tables, { ...key, at });
    const details = 'eventId' in wanted ? { event_id: wanted.eventId } : { since: wanted.since };
    const queued = events.length;
    await record(tx, { id: key.id, action: 'webhook_replayed', details: { ...details, queued } });
    return queued;
  });
}

type Listing = Omit<ManageDeps, 'db'> & {
  db: Parameters<EventStream['read']>[0];
  endpoint: Endpoint;
  room: number;
};

async function findOne(list: Listing, eventId: string): Promise<WebhookEvent[] | undefined> {
  const { tenant } = list.endpoint;
  const known = await findEvents(list.db, list.tables, { tenant, ids: [eventId] });
  const event = known.get(eventId);
  return event && [event];
}

/**
 * Lists events since this time, up to the cursor of the endpoint. The dispatcher has not sent the later
 * events yet, and will send them without a replay. Returns at most `room` + 1 events.
 */
async function listSince(list: Listing, since: Date): Promise<WebhookEvent[]> {
  const { endpoint, db } = list;
  const { tenant } = endpoint;
  const found: WebhookEvent[] = [];
  let pages = 0;
  for (const [i, stream] of list.tables.streams.entries()) {
    if (!stream.types.some((type) => endpoint.events.includes(type))) continue;
    const end = endpoint.cursors[i] ?? 0n;
    let after = await stream.positionBefore(db, { tenant, since });
    while (after < end && found.length <= list.room) {
      if (++pages > maxPages) throw list.errors.fail('webhook_queue_full');
      const { events, upTo } = await stream.read(db, { tenant, after, limit: pageSize });
      const own = events.filter(({ position }) => position <= end);
      found.push(...own.filter((event) => endpoint.events.includes(event.type)));
      if (upTo <= after) break;
      after = upTo;
    }
  }
  return found.slice(0, list.room + 1);
}
