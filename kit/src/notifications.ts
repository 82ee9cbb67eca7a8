// Word between processes over LISTEN/NOTIFY: what one process changed, the others forget.
import pg from 'pg';
import type { Queryable } from './db.ts';

export interface Listener {
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly url: string;
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Called after every new connection: whatever was said meanwhile went unheard. */
  readonly onGap: () => void;
  readonly onError?: (error: Error) => void;
  readonly retryMs?: number;
}

export async function notify(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [channel, payload]);
}

/** Listens for ever, connecting again by itself; resolves once the first connection stands. */
export async function listen(options: ListenOptions): Promise<Listener> {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: `counterfoil listen ${options.channel}`,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
    });
    const lost = (error?: Error) => {
      if (client !== next) return;
      client = undefined;
      if (error) options.onError?.(error);
      next.end().catch(() => {});
      retry();
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', (message) => options.onMessage(message.payload ?? ''));
    client = next;
    await next.connect();
    await next.query(`listen ${pg.escapeIdentifier(options.channel)}`);
    options.onGap();
  };

  const retry = () => {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().catch((error: Error) => {
        options.onError?.(error);
        client = undefined;
        retry();
      });
    }, options.retryMs ?? 500);
  };

  await connect();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
