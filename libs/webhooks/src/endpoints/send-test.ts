// Sends `webhook.test` once, without the streams and queues, and records it in the log of deliveries.
import { randomUUID } from 'node:crypto';
import { ensurePartitions, isMissingPartition } from '@counterfoil/kit/postgres/partitions';
import { deliveryTable } from '../dispatcher/save-run.ts';
import type { AttemptResult, AttemptSender } from '../dispatcher/send-attempt.ts';
import { listSecrets, signWebhook } from '../dispatcher/signature.ts';
import { writeBody } from '../outbox/event.ts';
import { findEndpoint } from '../queries.ts';
import { insertDeliveries } from '../store/deliveries.ts';
import type { EndpointKey } from './endpoint.ts';
import type { ManageDeps } from './manage-endpoints.ts';

export const testType = 'webhook.test';

export async function sendTest(
  deps: ManageDeps & { sender: AttemptSender },
  key: EndpointKey,
): Promise<AttemptResult> {
  const endpoint = await findEndpoint(deps.db, deps.tables, key);
  if (!endpoint) throw deps.errors.fail('webhook_not_found');
  const at = deps.now();
  const id = `test_${randomUUID()}`;
  const event = { id, type: testType, subject: 'test', at, data: { endpoint_id: Number(key.id) } };
  const body = writeBody(event);
  const secrets = listSecrets(deps.masterKey, endpoint, at);
  const headers = signWebhook({ id, body, secrets });
  const result = await deps.sender.send({ url: endpoint.url, headers, body });
  const { status, durationMs, error } = result;
  const delivery = {
    eventId: id,
    type: testType,
    subject: 'test',
    attempt: 1,
    at,
    status,
    durationMs,
    error,
    outcome: result.outcome ?? 'failed',
    nextAttemptAt: undefined,
  } as const;
  const write = () => insertDeliveries(deps.db, deps.tables, { ...key, deliveries: [delivery] });
  await write().catch(async (failure) => {
    if (!isMissingPartition(failure)) throw failure;
    await ensurePartitions(deps.db, deliveryTable(0), [at]);
    await write();
  });
  return result;
}
