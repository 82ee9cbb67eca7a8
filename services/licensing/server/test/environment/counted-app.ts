// A second app on the database of a test. The test can read the SQL statements that the app sends.
import type { App } from '@counterfoil/kit/http/app';
import { createLogger } from '@counterfoil/kit/observability/logging';
import type { Db, QueryRequest } from '@counterfoil/kit/postgres/db';
import { buildLicensingApp } from '../../src/app.ts';
import { noUsageSink, type UsageSink } from '../../src/usage/usage-sink.ts';
import type { Given } from './given.ts';

export interface CountedApp {
  readonly app: App;
  /** The statements outside transactions, and `begin` for each transaction, in the order of sending. */
  readonly statements: string[];
  /** The statements outside transactions, each with its parameter values. */
  readonly requests: QueryRequest[];
  close(): Promise<void>;
}

export async function openCountedApp(given: Given, usage: UsageSink = noUsageSink): Promise<CountedApp> {
  const statements: string[] = [];
  const requests: QueryRequest[] = [];
  const record = (request: QueryRequest | string) =>
    void statements.push(typeof request === 'string' ? request : request.text);
  const db: Db = {
    ...given.db,
    query: (request, values) => {
      record(request);
      requests.push(typeof request === 'string' ? { text: request, values: values ?? [] } : request);
      return given.db.query(request, values);
    },
    transaction: (work) => {
      record('begin');
      return given.db.transaction(work);
    },
  };
  const app = await buildLicensingApp({
    config: given.config,
    db,
    logger: createLogger({ service: 'licensing', level: 'silent' }),
    migrations: [],
    readiness: { draining: false },
    now: () => given.clock.now,
    monotonicMs: () => given.memoryClock.ms ?? performance.now(),
    usage,
  });
  await app.ready();
  statements.length = 0;
  return { app, statements, requests, close: () => app.close() };
}
