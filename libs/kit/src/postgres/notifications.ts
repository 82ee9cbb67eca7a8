// Sends notifications to other processes over LISTEN/NOTIFY, so that they can invalidate their caches.
import pg from 'pg';
import { deadlineMs } from '../process/deadline-factor.ts';
import type { Queryable } from './db.ts';
import { readPooled } from './pooler.ts';

export interface Listener {
  close(): Promise<void>;
}

interface ListenOptions {
  /**
   * The URL of the database. LISTEN does not work through a pooler. If this is the URL of a pooler, no
   * connection is opened, and `onGap` is called at every check instead.
   */
  readonly url: string;
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Called when notifications may have been missed, and repeatedly while there is no connection. */
  readonly onGap: () => void;
  readonly onError?: (error: Error) => void;
  readonly retryMs?: number;
  /** The interval at which the connection is checked; 2 s by default. */
  readonly askEveryMs?: number;
}

/** The pause between two checks. */
const defaultPauseMs = 2000;
/** The time after which an unanswered check proves that the connection is lost. */
const checkTimeoutMs = deadlineMs(2000);
/** With the default pause, a lost notification is noticed within this time. It includes 1 s of tolerance. */
export const lossNoticedWithinMs = defaultPauseMs + checkTimeoutMs + 1000;

export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [channel, payload]);
}

/**
 * Resolves once the first connection listens, and rejects if this connection fails. Later, lost connections
 * are replaced until `close` is called. With the URL of a pooler, resolves at once.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { url, pooled } = readPooled(options.url);
  const everyMs = options.askEveryMs ?? defaultPauseMs;
  let client: pg.Client | undefined;
  /** Whether the LISTEN statement of the current connection has succeeded. */
  let isListening = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const lose = (lost: pg.Client, error?: Error) => {
    if (client !== lost) return;
    client = undefined;
    if (error) options.onError?.(error);
    hangUp(lost);
    retry();
    if (isListening) options.onGap();
    isListening = false;
  };

  const connect = async (): Promise<void> => {
    const next = openClient(options.channel, url);
    next.on('error', (error) => lose(next, error));
    next.on('end', () => lose(next));
    next.on('notification', (message) => options.onMessage(message.payload ?? ''));
    client = next;
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(options.channel)}`);
    } catch (error) {
      lose(next, error as Error);
      throw error;
    }
    isListening = client === next;
    options.onGap();
  };

  const retry = () => {
    if (closed || retryTimer) return;
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      connect().catch(() => {});
    }, options.retryMs ?? 500);
  };

  /** Sends a query, because the network may have dropped the connection without an error. */
  const check = async (): Promise<void> => {
    const checked = client;
    if (!checked || !isListening) options.onGap();
    else await checked.query('select 1').catch((error: Error) => lose(checked, error));
  };

  const giveUp = (error: unknown) => {
    closed = true;
    clearTimeout(retryTimer);
    throw error;
  };
  if (!pooled) await connect().catch(giveUp);
  const checkTimer = setInterval(() => void check(), everyMs).unref();
  return {
    close: async () => {
      closed = true;
      clearTimeout(retryTimer);
      clearInterval(checkTimer);
      const last = client;
      client = undefined;
      if (isListening) await last?.end();
      else if (last) hangUp(last);
    },
  };
}

const openClient = (channel: string, url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: `counterfoil listen ${channel}`,
    connectionTimeoutMillis: deadlineMs(2000),
    query_timeout: checkTimeoutMs,
    keepAlive: true,
  });

/** Closes a connection without waiting for the server, which may be unreachable. */
function hangUp(client: pg.Client): void {
  client.end().catch(() => {});
  client.connection.stream.destroy();
}
