// Routes for the deliveries of an endpoint: list the log, show the payload of an event, send a test event,
// and send past events again.

import { invalidField } from '@counterfoil/identity/errors';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { exactlyOne, exactMomentForm, integerForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs, shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { defaultPageLimit, findPageEnd } from '@counterfoil/kit/http/parameters';
import { Type } from 'typebox';
import { findEvents } from '../dispatcher/gather-jobs.ts';
import { presentEvent } from '../outbox/event.ts';
import { replayEvents } from '../outbox/replay-events.ts';
import { listDeliveries } from '../queries.ts';
import { DeliveryAnswer, EventAnswer, OutcomeField, presentDelivery, TestAnswer } from './answers.ts';
import { getEndpoint } from './manage-endpoints.ts';
import { keyOf, oneParams, type WebhookMount, type WebhookRouteDeps } from './mount.ts';
import { sendTest } from './send-test.ts';

const EventId = Type.String({
  pattern: '^[a-z]{3,4}_[0-9a-f_-]{1,80}$',
  description: 'The id of the event.',
});

export function registerDeliveryRoutes(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  registerLog(app, mount, deps);
  registerEvent(app, mount, deps);
  registerReplay(app, mount, deps);
  const schema = {
    ...mount.describe('Send a test event to an endpoint', TestAnswer),
    params: oneParams(mount),
  };
  const path = `${mount.path}/:webhook_id/test`;
  app.post(path, { schema, onRequest: mount.authorize('owner') }, async (request) => {
    const key = keyOf(mount, request);
    deps.countTest(key.tenant);
    const { status, outcome, durationMs, error } = await sendTest(deps, key);
    return answer(request, { status, outcome, duration_ms: durationMs, error });
  });
}

function registerLog(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const data = Type.Object({
    deliveries: Type.Array(DeliveryAnswer, { description: 'Newest first.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page.' }),
  });
  const schema = {
    ...mount.describe('List the deliveries of an endpoint', data),
    params: oneParams(mount),
    querystring: Type.Object({
      outcome: Type.Optional(OutcomeField),
      limit: Type.Optional(
        shownAs(
          Type.String({
            pattern: '^([1-9][0-9]?|100)$',
            description: 'The maximum number of deliveries, from 1 to 100. Default: 50.',
          }),
          integerForm(1, 100),
        ),
      ),
      cursor: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}\\.[0-9]{1,18}$',
          description: 'The `next_cursor` of the previous page.',
        }),
      ),
    }),
  };
  const path = `${mount.path}/:webhook_id/deliveries`;
  app.get(path, { schema, onRequest: mount.authorize('member') }, async (request) => {
    const key = keyOf(mount, request);
    await getEndpoint(deps, key);
    const { outcome, cursor } = request.query;
    const limit = Number(request.query.limit ?? defaultPageLimit);
    const [ms, id] = cursor?.split('.') ?? [];
    const before = ms === undefined ? undefined : { at: new Date(Number(ms)), id: BigInt(id ?? 0) };
    const list = await listDeliveries(deps.db, deps.tables, { ...key, outcome, before, limit });
    const last = findPageEnd(limit, list);
    return answer(request, {
      deliveries: list.map(presentDelivery),
      next_cursor: last ? `${last.at.getTime()}.${last.id}` : null,
    });
  });
}

function registerEvent(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const schema = {
    ...mount.describe('Show the payload of an event', EventAnswer),
    params: Type.Object({
      ...oneParams(mount).properties,
      event_id: Type.String({ description: 'The `webhook-id` of the event.' }),
    }),
  };
  const path = `${mount.path}/:webhook_id/events/:event_id`;
  app.get(path, { schema, onRequest: mount.authorize('member') }, async (request) => {
    const key = keyOf(mount, request);
    await getEndpoint(deps, key);
    const { event_id: id } = request.params as { event_id: string };
    const wanted = { tenant: key.tenant, ids: [id] };
    const event = (await findEvents(deps.db, deps.tables, wanted)).get(id);
    if (!event) throw deps.errors.fail('webhook_event_not_found');
    return answer(request, { event: presentEvent(event) });
  });
}

function registerReplay(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const data = Type.Object({
    queued: Type.Integer({ description: 'The number of events that will be sent.' }),
  });
  const schema = {
    ...mount.describe('Send events again with their original ids', data),
    params: oneParams(mount),
    body: shownWith(
      Type.Object({
        event_id: Type.Optional(EventId),
        since: Type.Optional(
          shownAs(
            Type.String({
              pattern: '^\\d{4}-\\d{2}-\\d{2}T[0-9:.]{5,15}(Z|[+-]\\d{2}:\\d{2})$',
              description: 'Send all events since this time, instead of one event.',
            }),
            exactMomentForm,
          ),
        ),
      }),
      exactlyOne(['event_id', 'since']),
    ),
  };
  const path = `${mount.path}/:webhook_id/replay`;
  app.post(path, { schema, onRequest: mount.authorize('owner') }, async (request) => {
    const { event_id: eventId, since } = request.body;
    if ((eventId === undefined) === (since === undefined)) {
      const sentence = 'or since: exactly one of them must be given.';
      throw invalidField(deps.errors, 'event_id', sentence);
    }
    const time = new Date(since ?? 0);
    if (Number.isNaN(time.getTime())) throw invalidField(deps.errors, 'since', 'is not a time.');
    const wanted = eventId === undefined ? { since: time } : { eventId };
    const { record } = mount.principalOf(request);
    const queued = await replayEvents(deps, keyOf(mount, request), wanted, record);
    return answer(request, { queued });
  });
}
