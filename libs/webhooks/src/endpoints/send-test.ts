// Sends the event `webhook.test` once, without the streams and queues, and records it in the log of
// deliveries.
import { randomUUID } from 'node:crypto';
import { ensurePartitions, writePartitioned } from '@counterfoil/kit/postgres/partitions';
import { sendEvent } from '../dispatcher/delivery-run.ts';
import { deliveryTable } from '../dispatcher/save-run.ts';
import type { AttemptSender } from '../dispatcher/send-attempt.ts';
import { type Delivery, insertDeliveries } from '../store/deliveries.ts';
import type { EndpointKey } from './endpoint.ts';
import { getEndpoint, type ManageDeps } from './manage-endpoints.ts';

export const testType = 'webhook.test';

export async function sendTest(
  deps: ManageDeps & { sender: AttemptSender },
  key: EndpointKey,
): Promise<Delivery> {
  const endpoint = await getEndpoint(deps, key);
  const at = deps.now();
  const id = `test_${randomUUID()}`;
  const event = { id, type: testType, subject: 'test', at, data: { endpoint_id: Number(key.id) } };
  const result = await sendEvent(deps, endpoint, event);
  const delivery: Delivery = {
    ...event,
    eventId: id,
    attempt: 1,
    status: result.status ?? null,
    durationMs: result.durationMs,
    error: result.error ?? null,
    outcome: result.outcome ?? 'failed',
    nextAttemptAt: null,
  };
  const write = () => insertDeliveries(deps.db, deps.tables, { ...key, deliveries: [delivery] });
  await writePartitioned(write, () => ensurePartitions(deps.db, deliveryTable(0), [at]));
  return delivery;
}
