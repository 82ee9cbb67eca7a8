// Endpoints made, changed, rotated, revealed and deleted by people, each with a line in the audit log.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { AddressGuard } from '../dispatcher/address-guard.ts';
import { makeWebhookSecret } from '../dispatcher/signature.ts';
import type { WebhookTables } from '../outbox/event.ts';
import {
  deleteEndpoint,
  insertEndpoint,
  lockEndpoint,
  saveEndpoint,
  selectEndpoints,
  takeEndpointId,
} from '../store/endpoints.ts';
import { hastenEndpoint } from '../store/leases.ts';
import { wakeWaiting } from '../store/waiting.ts';
import {
  type Endpoint,
  type EndpointKey,
  maxEndpoints,
  sealWebhookSecret,
  unsealWebhookSecret,
} from './endpoint.ts';
import type { WebhookErrors } from './errors.ts';

export interface ManageDeps {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly masterKey: MasterKey;
  readonly errors: WebhookErrors;
  readonly guard: AddressGuard;
  readonly now: () => Date;
  /** Serialises the making of endpoints of one tenant, and whatever else begins with the first. */
  readonly prepare: (tx: Tx, tenant: bigint) => Promise<void>;
}

/** A line in the audit log, by whoever is asking. */
export type NoteChange = (
  tx: Tx,
  line: { id: bigint; action: string; details: Record<string, unknown> },
) => Promise<void>;

export interface WantedEndpoint {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

const hourMs = 3_600_000;

function refuseUrl(deps: ManageDeps, url: string): ServiceError | undefined {
  const sentence = deps.guard.refuse(url);
  if (sentence === undefined) return undefined;
  return deps.errors.fail('invalid_parameter', { errors: { url: [sentence] } });
}

export async function createEndpoint(
  deps: ManageDeps,
  tenant: bigint,
  wanted: WantedEndpoint,
  note: NoteChange,
): Promise<{ id: bigint; secret: string }> {
  const refusal = refuseUrl(deps, wanted.url);
  if (refusal) throw refusal;
  return await deps.db.transaction(async (tx) => {
    await deps.prepare(tx, tenant);
    const known = await selectEndpoints(tx, deps.tables, tenant);
    if (known.length >= maxEndpoints) throw deps.errors.fail('too_many_webhooks');
    const id = await takeEndpointId(tx);
    const secret = makeWebhookSecret();
    const secretSealed = sealWebhookSecret(deps.masterKey, { tenant, id }, secret);
    const made = { tenant, id, ...wanted, secretSealed, createdAt: deps.now() };
    await insertEndpoint(tx, deps.tables, made);
    const details = { url: wanted.url, events: wanted.events };
    await note(tx, { id, action: 'webhook_created', details });
    return { id, secret };
  });
}

/** Locked, changed and noted in one transaction; another tenant's endpoint is not there. */
async function onEndpoint<T>(
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
  note: NoteChange,
): Promise<void> {
  const refusal = change.url === undefined ? undefined : refuseUrl(deps, change.url);
  await onEndpoint(deps, key, async (tx, before) => {
    if (refusal) throw refusal;
    const state = change.state ?? before.state;
    const isSwitched = state !== before.state;
    const after: Endpoint = {
      ...before,
      ...change,
      // A new address, or a person who says so, begins with a clean slate.
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
    await note(tx, { id: key.id, action, details: { url, events, state } });
  });
}

export const removeEndpoint = (
  deps: ManageDeps,
  key: EndpointKey,
  note: NoteChange,
): Promise<void> =>
  onEndpoint(deps, key, async (tx, { url }) => {
    await deleteEndpoint(tx, deps.tables, key);
    await note(tx, { id: key.id, action: 'webhook_deleted', details: { url } });
  });

/** Whoever calls this has asked for the password again. */
export const revealSecret = (
  deps: ManageDeps,
  key: EndpointKey,
  note: NoteChange,
): Promise<string> =>
  onEndpoint(deps, key, async (tx, endpoint) => {
    await note(tx, { id: key.id, action: 'webhook_secret_revealed', details: {} });
    return unsealWebhookSecret(deps.masterKey, key, endpoint.secretSealed);
  });

/** For the overlap both secrets sign, so that a receiver changes over when it likes. */
export const rotateSecret = (
  deps: ManageDeps,
  key: EndpointKey,
  overlapHours: number,
  note: NoteChange,
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
    await note(tx, { id: key.id, action: 'webhook_secret_rotated', details });
    return { secret, previousUntil };
  });
