// An event as receivers get it, and the ordered streams of events that a service provides.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface WebhookEvent {
  /** The `webhook-id`, the same for every endpoint, attempt and replay. */
  readonly id: string;
  readonly type: string;
  /** Events of one subject are delivered in order. */
  readonly subject: string;
  readonly at: Date;
  /** Ids, states and amounts. No personal data, because erasure cannot reach the receivers. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamEvent extends WebhookEvent {
  /** The position in the stream. Several events may share one. */
  readonly position: bigint;
}

/** Positions are assigned in the order of commits and without gaps, so no event appears before a cursor. */
export interface EventStream {
  /** The column of `webhook_endpoints` with the position that the endpoint has read. */
  readonly cursorColumn: string;
  /** A table with the newest position of each tenant as `sequence`. */
  readonly headTable: string;
  readonly types: readonly string[];
  /** Complete positions, oldest first. `upTo` is the last position that was read. */
  read(
    db: Queryable,
    wanted: { tenant: bigint; after: bigint; limit: number },
  ): Promise<{ events: StreamEvent[]; upTo: bigint }>;
  /** The newest position, for endpoints that subscribe to no type of this stream. */
  head(db: Queryable, tenant: bigint): Promise<bigint>;
  /** The events, rebuilt from their rows. Unknown and deleted ones are left out. */
  find(db: Queryable, wanted: { tenant: bigint; ids: readonly string[] }): Promise<WebhookEvent[]>;
  /** The position after which every event is at or after that time. */
  positionBefore(db: Queryable, wanted: { tenant: bigint; since: Date }): Promise<bigint>;
}

/** The tenant column of the service's tables, and its streams. */
export interface WebhookTables {
  readonly tenantColumn: string;
  readonly streams: readonly EventStream[];
}

/** The same bytes at every attempt, because they are signed. */
export const writeBody = (event: WebhookEvent): string => JSON.stringify(presentEvent(event));

export const presentEvent = (event: WebhookEvent) => ({
  type: event.type,
  timestamp: event.at.toISOString(),
  data: event.data,
});
