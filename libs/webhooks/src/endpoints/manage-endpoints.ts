// Creates, changes and deletes endpoints, and rotates and reveals their secrets. Each of these actions leaves
// an audit entry.

import { invalidField } from '@counterfoil/identity/errors';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { AddressGuard } from '../dispatcher/address-guard.ts';
import { makeWebhookSecret, sealWebhookSecret, unsealWebhookSecret } from '../dispatcher/signature.ts';
import type { WebhookTables } from '../outbox/event.ts';
import { findEndpoint } from '../queries.ts';
import {
  deleteEndpoint,
  insertEndpoint,
  lockEndpoint,
  nextEndpointId,
  saveEndpoint,
  selectEndpoints,
} from '../store/endpoints.ts';
import { hastenEndpoint } from '../store/leases.ts';
import { wakeWaiting } from '../store/waiting.ts';
import { type Endpoint, type EndpointKey, maxEndpoints } from './endpoint.ts';
import type { WebhookErrors } from './errors.ts';

export interface ManageDeps {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly masterKey: MasterKey;
  readonly errors: WebhookErrors;
  readonly guard: AddressGuard;
  readonly now: () => Date;
  /**
   * Called before an endpoint is created. Locks the tenant, and prepares the tenant for its first endpoint.
   */
  readonly prepare: (tx: Tx, tenant: bigint) => Promise<void>;
}

/** Writes an audit entry that names the principal of the request as the actor. */
export type RecordChange = (
  tx: Tx,
  line: { id: bigint; action: string; details: Record<string, unknown> },
) => Promise<void>;

type WantedEndpoint = Pick<Endpoint, 'url' | 'description' | 'events'>;

const hourMs = 3_600_000;

function refuseUrl(deps: ManageDeps, url: string): ServiceError | undefined {
  const sentence = deps.guard.refuse(url);
  return sentence === undefined ? undefined : invalidField(deps.errors, 'url', sentence);
}

export async function createEndpoint(
  deps: ManageDeps,
  tenant: bigint,
  wanted: WantedEndpoint,
  record: RecordChange,
): Promise<{ id: bigint; secret: string }> {
  const refusal = refuseUrl(deps, wanted.url);
  if (refusal) throw refusal;
  return await deps.db.transaction(async (tx) => {
    await deps.prepare(tx, tenant);
    const known = await selectEndpoints(tx, deps.tables, tenant);
    if (known.length >= maxEndpoints) throw deps.errors.fail('too_many_webhooks');
    const id = await nextEndpointId(tx);
    const secret = makeWebhookSecret();
    const secretSealed = sealWebhookSecret(deps.masterKey, { tenant, id }, secret);
    const made = { tenant, id, ...wanted, secretSealed, createdAt: deps.now() };
    await insertEndpoint(tx, deps.tables, made);
    const details = { url: wanted.url, events: wanted.events };
    await record(tx, { id, action: 'webhook_created', details });
    return { id, secret };
  });
}

export async function getEndpoint(deps: ManageDeps, key: EndpointKey): Promise<Endpoint> {
  const endpoint = await findEndpoint(deps.db, deps.tables, key);
  if (!endpoint) throw deps.errors.fail('webhook_not_found');
  return endpoint;
}

/**
 * Runs `work` on the locked endpoint in one transaction. An endpoint of another tenant gets the same error as
 * an unknown endpoint.
 */
export async function onEndpoint<T>(
  deps: ManageDeps,
  key: EndpointKey,
  work: (tx: Tx, endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  return await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, deps.tables, key);
    if (!endpoint) throw deps.errors.fail('webhook_not_found');
    return await work(tx, endpoint);
  });
}

export async function changeEndpoint(
  deps: ManageDeps,
  key: EndpointKey,
  change: Partial<WantedEndpoint> & { state?: Endpoint['state'] },
  record: RecordChange,
): Promise<void> {
  const refusal = change.url === undefined ? undefined : refuseUrl(deps, change.url);
  await onEndpoint(deps, key, async (tx, before) => {
    if (refusal) throw refusal;
    const state = change.state ?? before.state;
    const isSwitched = state !== before.state;
    const after: Endpoint = {
      ...before,
      ...change,
      // The count of failures starts again if the URL changes, or if the endpoint is enabled or disabled.
      ...((isSwitched || change.url !== undefined) && { failingSince: undefined, failures: 0 }),
      disabledReason: state === 'enabled' ? undefined : (before.disabledReason ?? 'by_hand'),
    };
    await saveEndpoint(tx, deps.tables, after);
    if (after.failures === 0) {
      const at = deps.now();
      await wakeWaiting(tx, deps.tables, { ...key, at });
      await hastenEndpoint(tx, deps.tables, { ...key, at });
    }
    const action = isSwitched ? `webhook_${state}` : 'webhook_changed';
    const { url, events } = after;
    await record(tx, { id: key.id, action, details: { url, events, state } });
  });
}

export const removeEndpoint = (deps: ManageDeps, key: EndpointKey, record: RecordChange): Promise<void> =>
  onEndpoint(deps, key, async (tx, { url }) => {
    await deleteEndpoint(tx, deps.tables, key);
    await record(tx, { id: key.id, action: 'webhook_deleted', details: { url } });
  });

/** Reveals the secret of an endpoint. The caller must have checked the person's password. */
export const revealSecret = (deps: ManageDeps, key: EndpointKey, record: RecordChange): Promise<string> =>
  onEndpoint(deps, key, async (tx, endpoint) => {
    await record(tx, { id: key.id, action: 'webhook_secret_revealed', details: {} });
    return unsealWebhookSecret(deps.masterKey, key, endpoint.secretSealed);
  });

/**
 * Rotates the secret. During the overlap, events are signed with both secrets, so that a receiver can switch
 * at any time.
 */
export const rotateSecret = (
  deps: ManageDeps,
  key: EndpointKey,
  overlapHours: number,
  record: RecordChange,
): Promise<{ secret: string; previousUntil: Date | undefined }> =>
  onEndpoint(deps, key, async (tx, before) => {
    const secret = makeWebhookSecret();
    const previousUntil =
      overlapHours > 0 ? new Date(deps.now().getTime() + overlapHours * hourMs) : undefined;
    await saveEndpoint(tx, deps.tables, {
      ...before,
      secretSealed: sealWebhookSecret(deps.masterKey, key, secret),
      previousSealed: previousUntil && before.secretSealed,
      previousUntil,
    });
    const details = { overlap_hours: overlapHours };
    await record(tx, { id: key.id, action: 'webhook_secret_rotated', details });
    return { secret, previousUntil };
  });
