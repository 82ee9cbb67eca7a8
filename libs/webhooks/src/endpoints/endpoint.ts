// An endpoint: the URL that receives a tenant's events, the types of these events, its secrets and its state.

import { presentTime } from '@counterfoil/kit/http/answers';

export const maxEndpoints = 10;
export const maxUrlLength = 2048;
/** The maximum number of events that may wait for one endpoint, after failures or a replay. */
export const maxWaiting = 10_000;

export interface Endpoint {
  readonly tenant: bigint;
  readonly id: bigint;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly state: 'enabled' | 'disabled';
  readonly disabledReason: string | undefined;
  /** The time of the first failure since the last success. */
  readonly failingSince: Date | undefined;
  /** The number of consecutive delivery runs without a success. */
  readonly failures: number;
  readonly lastDeliveredAt: Date | undefined;
  readonly secretSealed: Buffer;
  readonly previousSealed: Buffer | undefined;
  readonly previousUntil: Date | undefined;
  readonly createdAt: Date;
  /** The last position that was read in each stream, in the order of `WebhookTables.streams`. */
  readonly cursors: readonly bigint[];
}

export interface EndpointKey {
  readonly tenant: bigint;
  readonly id: bigint;
}

export const timeOrNull = (time: Date | null | undefined) => (time ? presentTime(time) : null);

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
