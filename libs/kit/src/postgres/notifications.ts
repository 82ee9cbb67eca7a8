// Word between processes over LISTEN/NOTIFY: what one process changed, the others forget.
import pg from 'pg';
import { deadlineMs } from '../process/deadline-factor.ts';
import type { Queryable } from './db.ts';
import { readPooled } from './pooler.ts';

export interface Listener {
  close(): Promise<void>;
}

export interface ListenOptions {
  /** Behind a pooler nobody can listen: then everything is forgotten every two seconds. */
  readonly url: string;
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Called whenever something may have been said unheard, and again and again while deaf. */
  readonly onGap: () => void;
  readonly onError?: (error: Error) => void;
  readonly retryMs?: number;
  /** How often a connection that says nothing is asked whether it still stands. */
  readonly askEveryMs?: number;
}

/** Twice this and a moment is the longest that a lost word goes unnoticed: below 5 s. */
const defaultPauseMs = 2000;

export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [channel, payload]);
}

/** Listens for ever, connecting again by itself; resolves once the first connection stands. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { url, pooled } = readPooled(options.url);
  const everyMs = options.askEveryMs ?? defaultPauseMs;
  let client: pg.Client | undefined;
  /** A connection that is only begun hears nothing yet. */
  let hears = false;
  let retryTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const lose = (lost: pg.Client, error?: Error) => {
    if (client !== lost) return;
    client = undefined;
    if (error) options.onError?.(error);
    hangUp(lost);
    retry();
    if (hears) options.onGap();
    hears = false;
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
    hears = client === next;
    options.onGap();
  };

  const retry = () => {
    if (closed || retryTimer) return;
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      connect().catch(() => {});
    }, options.retryMs ?? 500);
  };

  /** A connection that a network swallowed tells nobody; and the deaf remember nothing for long. */
  const look = async (): Promise<void> => {
    const asked = client;
    if (!asked || !hears) options.onGap();
    else await asked.query('select 1').catch((error: Error) => lose(asked, error));
  };

  const giveUp = (error: unknown) => {
    closed = true;
    clearTimeout(retryTimer);
    throw error;
  };
  if (!pooled) await connect().catch(giveUp);
  const lookTimer = setInterval(() => void look(), everyMs).unref();
  return {
    close: async () => {
      closed = true;
      clearTimeout(retryTimer);
      clearInterval(lookTimer);
      const last = client;
      client = undefined;
      if (hears) await last?.end();
      else if (last) hangUp(last);
    },
  };
}

const openClient = (channel: string, url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: `counterfoil listen ${channel}`,
    connectionTimeoutMillis: deadlineMs(2000),
    query_timeout: deadlineMs(2000),
    keepAlive: true,
  });

/** Not waiting for a farewell: whoever is on the other side may be gone for good. */
function hangUp(client: pg.Client): void {
  client.end().catch(() => {});
  client.connection.stream.destroy();
}
