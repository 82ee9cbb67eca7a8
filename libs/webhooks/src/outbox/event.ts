// An event as receivers get it, and the ordered streams of a service's events.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface WebhookEvent {
  /** The id of the event, sent as `webhook-id`. It is the same for every endpoint, attempt and replay. */
  readonly id: string;
  readonly type: string;
  /** The object that the event is about, such as a purchase. Events of one subject are delivered in order. */
  readonly subject: string;
  readonly at: Date;
  /**
   * The ids, states and amounts of the event. Personal data is not allowed here, because the service cannot
   * erase data that a receiver has stored.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamEvent extends WebhookEvent {
  /** The position in the stream. Several events may share one position. */
  readonly position: bigint;
}

/**
 * A stream of events. The events have positions in the order of their commits, without gaps. So a new event
 * never gets a position that a cursor has already passed.
 */
export interface EventStream {
  /** The column of `webhook_endpoints` with the last position that was read for the endpoint. */
  readonly cursorColumn: string;
  /** The table whose column `sequence` contains the newest position of each tenant. */
  readonly headTable: string;
  readonly types: readonly string[];
  /**
   * Reads the events after a position, oldest first. All events of one position are read together. `upTo` is
   * the last position that was read.
   */
  read(
    db: Queryable,
    wanted: { tenant: bigint; after: bigint; limit: number },
  ): Promise<{ events: StreamEvent[]; upTo: bigint }>;
  /**
   * Returns the newest position. If an endpoint subscribes to no type of this stream, its cursor moves to
   * this position.
   */
  head(db: Queryable, tenant: bigint): Promise<bigint>;
  /** Returns the events, rebuilt from their rows. Unknown and deleted events are left out. */
  find(db: Queryable, wanted: { tenant: bigint; ids: readonly string[] }): Promise<WebhookEvent[]>;
  /** Returns a position. All events after this position happened at `since` or later. */
  positionBefore(db: Queryable, wanted: { tenant: bigint; since: Date }): Promise<bigint>;
}

/** The streams of a service, and the column that contains the tenant in the service's tables. */
export interface WebhookTables {
  readonly tenantColumn: string;
  readonly streams: readonly EventStream[];
}

/** Writes the body of a webhook. The text is the same for every attempt. */
export const writeBody = (event: WebhookEvent): string => JSON.stringify(presentEvent(event));

export const presentEvent = (event: WebhookEvent) => ({
  type: event.type,
  timestamp: event.at.toISOString(),
  data: event.data,
});
