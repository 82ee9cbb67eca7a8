// The control API and its page: set faults, choose protocols, start storms and list the callbacks.
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import type { CallbackBody } from '../callbacks/callback.ts';
import type { DeliveryLog } from '../callbacks/delivery-log.ts';
import type { Outbox } from '../callbacks/outbox.ts';
import type { SendCallback } from '../callbacks/send-callback.ts';
import {
  ConnectionBody,
  type ConnectionRegistry,
  ProtocolBody,
  parseConnection,
} from '../connections/connections.ts';
import { fail } from '../errors.ts';
import { type Faults, FaultsBody } from '../faults/faults.ts';
import { requireBearer } from '../http.ts';
import { Uid } from '../packages/packages.ts';
import { controlPage, controlPageHeaders } from './page.ts';
import { raiseStorm, StormBody } from './storm.ts';

interface ControlDeps {
  readonly controlToken: string;
  readonly faults: Faults;
  readonly log: DeliveryLog;
  readonly outbox: Outbox;
  readonly connections: ConnectionRegistry;
  readonly send: SendCallback;
}

export function registerControlRoutes(app: App, deps: ControlDeps): void {
  const { faults, log, outbox, send } = deps;
  const onRequest = requireBearer(deps.controlToken);
  app.get('/control', async (_request, reply) =>
    reply.headers(controlPageHeaders).type('text/html; charset=utf-8').send(controlPage),
  );
  app.get('/control/faults', { onRequest }, async () => faults.read());
  app.put('/control/faults', { onRequest, schema: { body: FaultsBody } }, async (request) => {
    const { for_seconds: forSeconds, ...ordered } = request.body;
    faults.order(ordered, forSeconds);
    return faults.read();
  });
  app.post('/control/storms', { onRequest, schema: { body: StormBody } }, async (request) => {
    const { uid, count, parallel = 16, body } = request.body;
    const callback = body ? { uid, body: body as CallbackBody } : log.findLast(uid);
    if (!callback) throw fail('nothing_to_repeat');
    return { sent: count, answers: await raiseStorm(send, callback, { count, parallel }) };
  });
  app.get('/control/deliveries', { onRequest }, async () => ({
    deliveries: log.list(),
    pending: outbox.list().map(({ uid, body }) => ({
      uid,
      action: body.action,
      transaction_id: body.transaction_id ?? null,
    })),
  }));
  registerProtocolRoutes(app, deps);
}

/** These routes answer with the list of connections, which contains no credentials. */
function registerProtocolRoutes(app: App, { controlToken, connections }: ControlDeps): void {
  const onRequest = requireBearer(controlToken);
  const list = () => ({ connections: connections.list() });
  app.get('/control/connections', { onRequest }, async () => list());
  app.post('/control/connections', { onRequest, schema: { body: ConnectionBody } }, async (request) => {
    await connections.save(parseConnection(request.body));
    return list();
  });
  const schema = { params: Type.Object({ uid: Uid }), body: ProtocolBody };
  app.put('/control/protocols/:uid', { onRequest, schema }, async (request) => {
    await connections.choose(request.params.uid, request.body);
    return list();
  });
}
