// The licensing service's table of contents: what it serves, and on what that stands.
import { fileURLToPath } from 'node:url';
import { type App, buildApp } from '@counterfoil/kit/app';
import type { Db } from '@counterfoil/kit/db';
import { type Readiness, serveHealth, serveReadiness } from '@counterfoil/kit/health';
import type { Logger } from '@counterfoil/kit/logging';
import { createMetrics, measureRequests, serveMetrics } from '@counterfoil/kit/metrics';
import { kitMigrations, type Migration } from '@counterfoil/kit/migrate';
import { serveOpenApi } from '@counterfoil/kit/openapi';
import { registerSignInRoutes } from '@counterfoil/kit/sign-in/routes';
import { createThrottle } from '@counterfoil/kit/throttle';
import { registerAccountRoutes } from './accounts/routes.ts';
import { createAuthenticate, securitySchemes } from './api-keys/authenticate.ts';
import { createApiKeyFinder } from './api-keys/find-api-key.ts';
import type { Config } from './config.ts';
import { errors } from './errors.ts';
import { createLicensingSignIn } from './sign-in.ts';

export const migrationFolders = [
  kitMigrations,
  fileURLToPath(new URL('../migrations', import.meta.url)),
];

export interface LicensingDeps {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  readonly readiness: Readiness;
  readonly now?: () => Date;
}

export async function buildLicensingApp(deps: LicensingDeps): Promise<App> {
  const { config, db, logger, now = () => new Date() } = deps;
  const app = buildApp({ errors, logger, trustProxy: config.trustProxy });
  const registry = createMetrics('licensing');
  measureRequests(app, registry);

  const finder = await createApiKeyFinder({
    db,
    databaseUrl: config.databaseUrl,
    masterKey: config.masterKey,
    onError: (error) => logger.warn({ err: error }, 'not listening for changed keys'),
  });
  app.addHook('onClose', () => finder.close());
  const throttle = createThrottle({
    perMinute: config.authFailuresPerMinute,
    now: () => now().getTime(),
  });
  const authenticate = createAuthenticate({ finder, throttle, now });

  const signIn = createLicensingSignIn(db, config, now);

  await serveOpenApi(app, {
    title: 'Counterfoil Licensing',
    version: '1.0.0',
    description: 'Look up your account and items, and check whether a purchase code is valid.',
    serverUrl: config.publicUrl,
    tags: [
      { name: 'Account', description: 'The seller who owns the key.' },
      { name: 'Panel', description: 'For the web panel, by session.' },
      { name: 'Operations', description: 'For whoever runs the service.' },
    ],
    securitySchemes: {
      ...securitySchemes,
      session: { type: 'apiKey', in: 'cookie', name: signIn.cookieName },
    },
  });
  serveHealth(app, 'licensing');
  serveReadiness(app, { ...deps, service: 'licensing', errors });
  serveMetrics(app, {
    registry,
    errors,
    token: config.metricsToken,
    production: config.production,
  });
  registerSignInRoutes(app, signIn);
  registerAccountRoutes(app, { db, authenticate });
  return app;
}
