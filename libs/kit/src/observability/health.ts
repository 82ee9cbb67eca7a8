// Liveness for a supervisor (`/healthz`) and readiness for a load balancer (`/readyz`).
import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import type { ServiceErrors, TransportErrorCode } from '../http/errors.ts';
import { openDb } from '../postgres/db.ts';
import { findPendingMigrations, type Migration } from '../postgres/migrate.ts';

const Health = Type.Object(
  { status: Type.Literal('success'), service: Type.String() },
  { description: 'The process answers.' },
);

const describeCheck = (summary: string) => ({ tags: ['Operations'], summary, response: { 200: Health } });

export interface Readiness {
  draining: boolean;
}

export function serveHealth(app: App, service: string): void {
  const schema = describeCheck('Is the process alive?');
  app.get('/healthz', { schema, config: { isAlwaysServed: true } }, async () => ({
    status: 'success' as const,
    service,
  }));
}

/**
 * A service is ready under three conditions: it is not stopping, its database is reachable, and all
 * migrations of this build are applied. The check uses a separate connection. Otherwise a pool that is busy
 * with panel requests would make the service unready.
 */
export function serveReadiness(
  app: App,
  options: {
    service: string;
    url: string;
    migrations: readonly Migration[];
    errors: ServiceErrors<TransportErrorCode>;
    readiness: Readiness;
  },
): void {
  const { errors, migrations } = options;
  const db = openDb({
    url: options.url,
    applicationName: 'counterfoil readiness',
    maxConnections: 1,
    onIdleError: () => {},
  });
  app.addHook('onClose', () => db.end());
  /** The running query. Concurrent requests share it, so that frequent checks do not delay other requests. */
  let asking: Promise<string[]> | undefined;
  const findPending = () => {
    asking ??= findPendingMigrations(db, migrations).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const schema = describeCheck('May requests be sent here?');
  app.get('/readyz', { schema, config: { isAlwaysServed: true } }, async () => {
    if (options.readiness.draining) throw errors.fail('unavailable', { msg: 'Leaving' });
    if ((await findPending()).length > 0) {
      throw errors.fail('unavailable', { msg: 'The database is not migrated yet' });
    }
    return { status: 'success' as const, service: options.service };
  });
}
