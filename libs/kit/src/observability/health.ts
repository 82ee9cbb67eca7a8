// The two questions of a supervisor and a load balancer: is the process alive, may it be sent work.
import { Type } from 'typebox';
import type { App } from '../http/app.ts';
import type { ServiceErrors, TransportErrorCode } from '../http/errors.ts';
import { openDb } from '../postgres/db.ts';
import { findPendingMigrations, type Migration } from '../postgres/migrate.ts';

const Health = Type.Object(
  { status: Type.Literal('success'), service: Type.String() },
  { description: 'The process answers.' },
);

export interface Readiness {
  draining: boolean;
}

export function serveHealth(app: App, service: string): void {
  const schema = {
    tags: ['Operations'],
    summary: 'Is the process alive?',
    response: { 200: Health },
  };
  app.get('/healthz', { schema }, async () => ({ status: 'success' as const, service }));
}

/**
 * Ready means: not leaving, database reachable, no migration of this build missing. It is asked on a
 * connection of its own: a pool that the panel's questions fill must not turn money away.
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
  /** Whoever asks meanwhile gets the same answer: nobody can make the others wait by asking often. */
  let asking: Promise<string[]> | undefined;
  const findPending = () => {
    asking ??= findPendingMigrations(db, migrations).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const schema = {
    tags: ['Operations'],
    summary: 'May requests be sent here?',
    response: { 200: Health },
  };
  app.get('/readyz', { schema }, async () => {
    if (options.readiness.draining) throw errors.fail('unavailable', { msg: 'Leaving' });
    if ((await findPending()).length > 0) {
      throw errors.fail('unavailable', { msg: 'The database is not migrated yet' });
    }
    return { status: 'success' as const, service: options.service };
  });
}
