// An event as receivers get it, and the ordered streams that a service has events in.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface WebhookEvent {
  /** The `webhook-id`: one and the same for every endpoint, attempt and replay. */
  readonly id: string;
  readonly type: string;
  /** What it is about; events of one subject arrive in their order. */
  readonly subject: string;
  readonly at: Date;
  /** Ids, states and amounts; nothing personal, which erasure would have to follow to receivers. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StreamEvent extends WebhookEvent {
  /** Its place in the stream; one place may have several events. */
  readonly position: bigint;
}

/** Positions are given out in the order of commits, without gaps: behind a cursor nothing appears. */
export interface EventStream {
  /** Of `webhook_endpoints`: how far the endpoint has read. */
  readonly cursorColumn: string;
  /** A table with the newest position of each tenant as `sequence`. */
  readonly headTable: string;
  readonly types: readonly string[];
  /** Whole positions, oldest first; `upTo` is the last that was looked at. */
  read(
    db: Queryable,
    wanted: { tenant: bigint; after: bigint; limit: number },
  ): Promise<{ events: StreamEvent[]; upTo: bigint }>;
  /** The newest position, for endpoints that take nothing of this stream. */
  head(db: Queryable, tenant: bigint): Promise<bigint>;
  /** Made again from what they tell of; what is not known, or no longer kept, is left out. */
  find(db: Queryable, wanted: { tenant: bigint; ids: readonly string[] }): Promise<WebhookEvent[]>;
  /** The position behind which everything is at or after that time. */
  positionBefore(db: Queryable, wanted: { tenant: bigint; since: Date }): Promise<bigint>;
}

/** The column that leads every key of the service's tables, and the streams of one tenant. */
export interface WebhookTables {
  readonly tenantColumn: string;
  readonly streams: readonly EventStream[];
}

/** The same text at every attempt, as the signature is over its bytes. */
export const writeBody = (event: WebhookEvent): string => JSON.stringify(presentEvent(event));

export const presentEvent = (event: WebhookEvent) => ({
  type: event.type,
  timestamp: event.at.toISOString(),
  data: event.data,
});
