// The control API and its page: set faults, start storms and list the callbacks.
import type { App } from '@counterfoil/kit/http/app';
import type { CallbackBody } from '../callbacks/callback.ts';
import type { DeliveryLog } from '../callbacks/delivery-log.ts';
import type { Outbox } from '../callbacks/outbox.ts';
import type { SendCallback } from '../callbacks/send-callback.ts';
import { fail } from '../errors.ts';
import { type Faults, FaultsBody } from '../faults/faults.ts';
import { requireBearer } from '../http.ts';
import { controlPage, controlPageHeaders } from './page.ts';
import { raiseStorm, StormBody } from './storm.ts';

export function registerControlRoutes(
  app: App,
  deps: { controlToken: string; faults: Faults; log: DeliveryLog; outbox: Outbox; send: SendCallback },
): void {
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
}
