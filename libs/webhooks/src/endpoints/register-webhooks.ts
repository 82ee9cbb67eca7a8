// Endpoints in the panel: listed, made, changed, deleted, their secrets rotated and shown again.

import { Password } from '@counterfoil/identity/panel-route';
import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { presentTime } from '@counterfoil/kit/http/times';
import { type Static, Type } from 'typebox';
import { selectEndpoints } from '../store/endpoints.ts';
import { EndpointAnswer, EventTypeAnswer } from './answers.ts';
import { registerDeliveryRoutes } from './delivery-routes.ts';
import { maxUrlLength, presentEndpoint } from './endpoint.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  revealSecret,
  rotateSecret,
} from './manage-endpoints.ts';
import { keyOf, oneParams, type WebhookPlace, type WebhookRouteDeps } from './mount.ts';

const Secret = Type.String({
  description: 'whsec_…; keep it where only the receiver can read it.',
});

export function registerWebhookRoutes(app: App, place: WebhookPlace, deps: WebhookRouteDeps): void {
  registerReading(app, place, deps);
  registerMaking(app, place, deps);
  registerChanging(app, place, deps);
  registerSecrets(app, place, deps);
  registerDeliveryRoutes(app, place, deps);
}

async function list(deps: WebhookRouteDeps, tenant: bigint) {
  const at = deps.now();
  const known = await selectEndpoints(deps.db, deps.tables, tenant);
  return known.map(({ endpoint, pending }) => presentEndpoint(endpoint, { pending, at }));
}

async function present(
  deps: WebhookRouteDeps,
  key: { tenant: bigint; id: bigint },
): Promise<{ endpoint: Static<typeof EndpointAnswer> }> {
  const endpoint = (await list(deps, key.tenant)).find((each) => each.id === Number(key.id));
  if (!endpoint) throw deps.errors.fail('webhook_not_found');
  return { endpoint };
}

function registerReading(app: App, place: WebhookPlace, deps: WebhookRouteDeps): void {
  const data = Type.Object({
    endpoints: Type.Array(EndpointAnswer, { description: 'At most ten.' }),
    event_types: Type.Array(EventTypeAnswer, { description: 'What there is to be told of.' }),
  });
  const described = place.describe('Where are our events sent?', data);
  const schema = { ...described, params: Type.Object(place.params) };
  const types = Object.entries(deps.eventTypes).map(([type, description]) => ({
    type,
    description,
  }));
  app.get(place.path, { schema, onRequest: place.admit('member') }, async (request) =>
    answer(request, {
      endpoints: await list(deps, place.visit(request).tenant),
      event_types: types,
    }),
  );
}

const fields = (deps: WebhookRouteDeps) => ({
  url: PrintableText({
    min: 1,
    max: maxUrlLength,
    description: 'https, and a public address.',
    examples: ['https://shop.example/webhooks'],
  }),
  description: Type.Optional(PrintableText({ max: 200, description: 'In your own words.' })),
  events: Type.Array(Type.Enum(Object.keys(deps.eventTypes)), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'Types of events to be sent.',
  }),
});

function registerMaking(app: App, place: WebhookPlace, deps: WebhookRouteDeps): void {
  const data = Type.Object({ endpoint: EndpointAnswer, secret: Secret });
  const schema = {
    ...place.describe('Send events to another endpoint', data),
    params: Type.Object(place.params),
    body: Type.Object(fields(deps)),
  };
  app.post(place.path, { schema, onRequest: place.admit('owner') }, async (request) => {
    const { tenant, note } = place.visit(request);
    const { url, description = '', events } = request.body;
    const made = await createEndpoint(deps, tenant, { url, description, events }, note);
    const shown = await present(deps, { tenant, id: made.id });
    return answer(request, { ...shown, secret: made.secret });
  });
}

function registerChanging(app: App, place: WebhookPlace, deps: WebhookRouteDeps): void {
  const onRequest = place.admit('owner');
  const one = `${place.path}/:webhook_id`;
  const params = oneParams(place);
  const { url, description, events } = fields(deps);
  const changeSchema = {
    ...place.describe('Change an endpoint', Type.Object({ endpoint: EndpointAnswer })),
    params,
    body: Type.Object({
      url: Type.Optional(url),
      description,
      events: Type.Optional(events),
      state: Type.Optional(
        Type.Enum(['enabled', 'disabled'], {
          description: 'Enabled again, it goes on where it stopped.',
        }),
      ),
    }),
  };
  app.patch(one, { schema: changeSchema, onRequest }, async (request) => {
    const key = keyOf(place, request);
    await changeEndpoint(deps, key, request.body, place.visit(request).note);
    return answer(request, await present(deps, key));
  });

  const deleteSchema = { ...place.describe('Delete an endpoint', Nothing), params };
  app.delete(one, { schema: deleteSchema, onRequest }, async (request) => {
    await removeEndpoint(deps, keyOf(place, request), place.visit(request).note);
    return answer(request, {});
  });
}

function registerSecrets(app: App, place: WebhookPlace, deps: WebhookRouteDeps): void {
  const onRequest = place.admit('owner');
  const one = `${place.path}/:webhook_id`;
  const params = oneParams(place);
  const until = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Until then the old secret signs as well.',
  });
  const data = Type.Object({ secret: Secret, previous_secret_until: until });
  const rotateSchema = {
    ...place.describe("Replace an endpoint's secret", data),
    params,
    body: Type.Object({
      overlap_hours: Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long events carry a signature by the old secret as well.',
      }),
    }),
  };
  app.post(`${one}/rotate`, { schema: rotateSchema, onRequest }, async (request) => {
    const { note } = place.visit(request);
    const hours = request.body.overlap_hours;
    const made = await rotateSecret(deps, keyOf(place, request), hours, note);
    const end = made.previousUntil ? presentTime(made.previousUntil) : null;
    return answer(request, { secret: made.secret, previous_secret_until: end });
  });

  const revealSchema = {
    ...place.describe("Show an endpoint's secret again", Type.Object({ secret: Secret })),
    params,
    body: Type.Object({ password: Password }),
  };
  app.post(`${one}/reveal`, { schema: revealSchema, onRequest }, async (request) => {
    const { note, askPassword } = place.visit(request);
    await askPassword(request.body.password);
    return answer(request, { secret: await revealSecret(deps, keyOf(place, request), note) });
  });
}
