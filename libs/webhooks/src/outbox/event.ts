// An event as receivers get it, and the ordered streams of events that a service provides.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface WebhookEvent {
  /** The `webhook-id`, the same for every endpoint, attempt and replay. */
  readonly id: string;
  readonly type: string;
  /** Events of one subject are delivered in order. */
  readonly subject: string;
  readonly at: Date;
  /** Ids, states and amounts. No personal data, because the service cannot erase it at the receivers. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamEvent extends WebhookEvent {
  /** The position in the stream. Several events may share one. */
  readonly position: bigint;
}

/** Positions follow the order of commits without gaps, so no new event is ever before a cursor. */
export interface EventStream {
  /** The column of `webhook_endpoints` with the last position that was read for the endpoint. */
  readonly cursorColumn: string;
  /** A table with the newest position of each tenant as `sequence`. */
  readonly headTable: string;
  readonly types: readonly string[];
  /** Reads all events of each position, oldest first. `upTo` is the last position that was read. */
  read(
    db: Queryable,
    wanted: { tenant: bigint; after: bigint; limit: number },
  ): Promise<{ events: StreamEvent[]; upTo: bigint }>;
  /** The newest position, for endpoints that subscribe to no type of this stream. */
  head(db: Queryable, tenant: bigint): Promise<bigint>;
  /** The events, rebuilt from their rows. Unknown and deleted ones are left out. */
  find(db: Queryable, wanted: { tenant: bigint; ids: readonly string[] }): Promise<WebhookEvent[]>;
  /** A position after which all events happened at or after `since`. */
  positionBefore(db: Queryable, wanted: { tenant: bigint; since: Date }): Promise<bigint>;
}

/** The tenant column of the service's tables, and its streams. */
export interface WebhookTables {
  readonly tenantColumn: string;
  readonly streams: readonly EventStream[];
}

/** Returns the same text for every attempt. */
export const writeBody = (event: WebhookEvent): string => JSON.stringify(presentEvent(event));

export const presentEvent = (event: WebhookEvent) => ({
  type: event.type,
  timestamp: event.at.toISOString(),
  data: event.data,
});
