// Routes for the endpoints of a tenant and their secrets.

import { Password } from '@counterfoil/identity/panel-route';
import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { type Static, Type } from 'typebox';
import { selectEndpoints } from '../store/endpoints.ts';
import { EndpointAnswer, EventTypeAnswer } from './answers.ts';
import { registerDeliveryRoutes } from './delivery-routes.ts';
import { type EndpointKey, maxUrlLength, presentEndpoint, timeOrNull } from './endpoint.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  revealSecret,
  rotateSecret,
} from './manage-endpoints.ts';
import { keyOf, oneParams, type WebhookMount, type WebhookRouteDeps } from './mount.ts';

const Secret = Type.String({ description: 'whsec_…; store it where only the receiver can read it.' });

export function registerWebhookRoutes(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  registerReading(app, mount, deps);
  registerMaking(app, mount, deps);
  registerChanging(app, mount, deps);
  registerSecrets(app, mount, deps);
  registerDeliveryRoutes(app, mount, deps);
}

async function list(deps: WebhookRouteDeps, tenant: bigint) {
  const at = deps.now();
  const known = await selectEndpoints(deps.db, deps.tables, tenant);
  return known.map(({ endpoint, pending }) => presentEndpoint(endpoint, { pending, at }));
}

async function present(
  deps: WebhookRouteDeps,
  key: EndpointKey,
): Promise<{ endpoint: Static<typeof EndpointAnswer> }> {
  const endpoint = (await list(deps, key.tenant)).find((each) => each.id === Number(key.id));
  if (!endpoint) throw deps.errors.fail('webhook_not_found');
  return { endpoint };
}

function registerReading(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const data = Type.Object({
    endpoints: Type.Array(EndpointAnswer, { description: 'At most ten endpoints.' }),
    event_types: Type.Array(EventTypeAnswer, { description: 'All types of events.' }),
  });
  const described = mount.describe('List the webhook endpoints', data);
  const schema = { ...described, params: Type.Object(mount.params) };
  const types = Object.entries(deps.eventTypes).map(([type, description]) => ({ type, description }));
  app.get(mount.path, { schema, onRequest: mount.authorize('member') }, async (request) =>
    answer(request, { endpoints: await list(deps, mount.principalOf(request).tenant), event_types: types }),
  );
}

const fields = (deps: WebhookRouteDeps) => ({
  url: PrintableText({
    min: 1,
    max: maxUrlLength,
    description: 'An https URL with a public address.',
    examples: ['https://shop.example/webhooks'],
  }),
  description: Type.Optional(PrintableText({ max: 200, description: 'A note for yourself.' })),
  events: Type.Array(Type.Enum(Object.keys(deps.eventTypes)), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: 'The types of events to send.',
  }),
});

function registerMaking(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const data = Type.Object({ endpoint: EndpointAnswer, secret: Secret });
  const schema = {
    ...mount.describe('Create a webhook endpoint', data),
    params: Type.Object(mount.params),
    body: Type.Object(fields(deps)),
  };
  app.post(mount.path, { schema, onRequest: mount.authorize('owner') }, async (request) => {
    const { tenant, record } = mount.principalOf(request);
    const { url, description = '', events } = request.body;
    const made = await createEndpoint(deps, tenant, { url, description, events }, record);
    const shown = await present(deps, { tenant, id: made.id });
    return answer(request, { ...shown, secret: made.secret });
  });
}

function registerChanging(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const onRequest = mount.authorize('owner');
  const one = `${mount.path}/:webhook_id`;
  const params = oneParams(mount);
  const { url, description, events } = fields(deps);
  const changeSchema = {
    ...mount.describe('Change an endpoint', Type.Object({ endpoint: EndpointAnswer })),
    params,
    body: Type.Object({
      url: Type.Optional(url),
      description,
      events: Type.Optional(events),
      state: Type.Optional(
        Type.Enum(['enabled', 'disabled'], {
          description: 'An endpoint that is enabled again continues where it stopped.',
        }),
      ),
    }),
  };
  app.patch(one, { schema: changeSchema, onRequest }, async (request) => {
    const key = keyOf(mount, request);
    await changeEndpoint(deps, key, request.body, mount.principalOf(request).record);
    return answer(request, await present(deps, key));
  });

  const deleteSchema = { ...mount.describe('Delete an endpoint', Nothing), params };
  app.delete(one, { schema: deleteSchema, onRequest }, async (request) => {
    await removeEndpoint(deps, keyOf(mount, request), mount.principalOf(request).record);
    return answer(request, {});
  });
}

function registerSecrets(app: App, mount: WebhookMount, deps: WebhookRouteDeps): void {
  const onRequest = mount.authorize('owner');
  const one = `${mount.path}/:webhook_id`;
  const params = oneParams(mount);
  const until = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'The end of the overlap in which the old secret also signs.',
  });
  const data = Type.Object({ secret: Secret, previous_secret_until: until });
  const rotateSchema = {
    ...mount.describe("Replace an endpoint's secret", data),
    params,
    body: Type.Object({
      overlap_hours: Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long the old secret also signs events.',
      }),
    }),
  };
  app.post(`${one}/rotate`, { schema: rotateSchema, onRequest }, async (request) => {
    const { record } = mount.principalOf(request);
    const hours = request.body.overlap_hours;
    const made = await rotateSecret(deps, keyOf(mount, request), hours, record);
    const end = timeOrNull(made.previousUntil);
    return answer(request, { secret: made.secret, previous_secret_until: end });
  });

  const revealSchema = {
    ...mount.describe("Show an endpoint's secret again", Type.Object({ secret: Secret })),
    params,
    body: Type.Object({ password: Password }),
  };
  app.post(`${one}/reveal`, { schema: revealSchema, onRequest }, async (request) => {
    const { record, requirePassword } = mount.principalOf(request);
    await requirePassword(request.body.password);
    return answer(request, { secret: await revealSecret(deps, keyOf(mount, request), record) });
  });
}
