// An endpoint: where a tenant's events are sent, which of them, and how that goes.

import { type MasterKey, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import { presentTime } from '@counterfoil/kit/http/times';

export const maxEndpoints = 10;
export const maxUrlLength = 2048;
/** Events that wait outside the stream: after a failure, or to be sent again. */
export const maxWaiting = 10_000;

export interface Endpoint {
  readonly tenant: bigint;
  readonly id: bigint;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly state: 'enabled' | 'disabled';
  readonly disabledReason: string | undefined;
  /** Since when every attempt has failed. */
  readonly failingSince: Date | undefined;
  /** Turns in a row without a success. */
  readonly failures: number;
  readonly lastDeliveredAt: Date | undefined;
  readonly secretSealed: Buffer;
  readonly previousSealed: Buffer | undefined;
  readonly previousUntil: Date | undefined;
  readonly createdAt: Date;
  /** In the order of the streams. */
  readonly cursors: readonly bigint[];
}

export interface EndpointKey {
  readonly tenant: bigint;
  readonly id: bigint;
}

const contextOf = ({ tenant, id }: EndpointKey) => `webhook/${tenant}/${id}`;

export const sealWebhookSecret = (masterKey: MasterKey, key: EndpointKey, plain: string): Buffer =>
  seal(masterKey, { plain, context: contextOf(key) });

export const unsealWebhookSecret = (
  masterKey: MasterKey,
  key: EndpointKey,
  sealed: Buffer,
): string => unseal(masterKey, { sealed, context: contextOf(key) });

/** The newest first; the one before it while it overlaps. */
export function listSecrets(masterKey: MasterKey, endpoint: Endpoint, at: Date): string[] {
  const { previousSealed, previousUntil } = endpoint;
  const overlaps = previousSealed && previousUntil && previousUntil > at;
  return [endpoint.secretSealed, ...(overlaps ? [previousSealed] : [])].map((sealed) =>
    unsealWebhookSecret(masterKey, endpoint, sealed),
  );
}

const timeOrNull = (time: Date | undefined) => (time ? presentTime(time) : null);

export const presentEndpoint = (endpoint: Endpoint, waiting: { pending: number; at: Date }) => ({
  id: Number(endpoint.id),
  url: endpoint.url,
  description: endpoint.description,
  events: [...endpoint.events],
  state: endpoint.state,
  disabled_reason: endpoint.disabledReason ?? null,
  failing_since: timeOrNull(endpoint.failingSince),
  created_at: presentTime(endpoint.createdAt),
  last_delivered_at: timeOrNull(endpoint.lastDeliveredAt),
  pending: waiting.pending,
  previous_secret_until:
    endpoint.previousUntil && endpoint.previousUntil > waiting.at
      ? presentTime(endpoint.previousUntil)
      : null,
});
