// Builds the stand-in provider: registers its groups of routes, and requires a token for some of the groups.
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { presentFailure } from '@counterfoil/kit/http/render-error';
import { serveHealth } from '@counterfoil/kit/observability/health';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { registerAssets } from './assets.ts';
import { createDeliveryLog } from './callbacks/delivery-log.ts';
import { openOutbox } from './callbacks/outbox.ts';
import { createSender } from './callbacks/send-callback.ts';
import { openConnectionRegistry } from './connections/connections.ts';
import { registerControlRoutes } from './control/routes.ts';
import { errors } from './errors.ts';
import { createFaults, type Faults, type FaultTarget } from './faults/faults.ts';
import { simulateFaults } from './faults/simulate-faults.ts';
import { registerCatalogue, registerPictures } from './games/routes.ts';
import { requireBearer } from './http.ts';
import { createPlaySessions } from './launches/play-session.ts';
import { registerLaunchRoute } from './launches/routes.ts';
import { type Draw, drawFairly } from './machines/draw.ts';
import { openPackageRegistry } from './packages/packages.ts';
import { registerPackageRoutes } from './packages/routes.ts';
import { registerPlayRoutes } from './play/routes.ts';

export interface ProviderOptions {
  readonly logger: Logger;
  readonly dataDir: string;
  readonly siteUrl: string;
  readonly apiToken: string;
  readonly controlToken: string;
  readonly draw?: Draw;
  /** Pauses between attempts of a callback while the player waits. Later attempts run in the background. */
  readonly waitsMs?: readonly number[];
  readonly attemptTimeoutMs?: number;
  readonly firstBackgroundWaitMs?: number;
  readonly linkMs?: number;
  /** The clock by which sessions, links and simulated faults expire. */
  readonly now?: () => number;
}

export async function buildProvider(options: ProviderOptions): Promise<App> {
  const { logger, dataDir, siteUrl } = options;
  const app = buildApp({ errors, logger });
  const now = options.now ?? Date.now;
  const faults = createFaults(now);
  const log = createDeliveryLog();
  const packages = await openPackageRegistry(dataDir);
  const connections = await openConnectionRegistry(dataDir);
  const attemptTimeoutMs = options.attemptTimeoutMs ?? deadlineMs(5000);
  const send = createSender({ packages, connections, log, faults, attemptTimeoutMs, logger });
  const firstWaitMs = options.firstBackgroundWaitMs ?? 1000;
  const outbox = await openOutbox({ dataDir, send, firstWaitMs });
  app.addHook('onClose', () => outbox.close());

  const sessions = createPlaySessions(options.linkMs ?? 120_000, now);
  const launches = { packages, sessions, siteUrl };
  const byToken = requireBearer(options.apiToken);
  await serveTarget(app, { target: 'private', prefix: '/private', faults }, (scope) => {
    scope.addHook('onRequest', byToken);
    registerCatalogue(scope, { target: 'private', siteUrl, faults });
    registerLaunchRoute(scope, '/v1/launches', launches);
    registerPackageRoutes(scope, packages);
  });
  await serveTarget(app, { target: 'public', prefix: '/public', faults }, (scope) =>
    registerCatalogue(scope, { target: 'public', siteUrl, faults }),
  );
  await serveTarget(app, { target: 'shared', prefix: '/public', faults }, (scope) => {
    scope.addHook('onRequest', byToken);
    registerLaunchRoute(scope, '/v1/shared-launches', launches);
  });

  serveHealth(app, 'provider');
  app.get('/', async (_request, reply) => reply.redirect('/control', 302));
  registerPictures(app);
  await registerAssets(app);
  const { controlToken } = options;
  registerControlRoutes(app, { controlToken, faults, log, outbox, connections, send });
  registerPlayRoutes(app, {
    sessions,
    outbox,
    connections,
    send,
    faults,
    draw: options.draw ?? drawFairly,
    now,
    waitsMs: options.waitsMs ?? [250, 750, 1500],
    isSecure: siteUrl.startsWith('https:'),
  });
  return app;
}

/**
 * Serves one of the APIs that the wallet calls. Errors of this API have the format of
 * docs/reference/provider.md. The control API can set faults for this API.
 */
async function serveTarget(
  app: App,
  mount: { target: FaultTarget; prefix: string; faults: Faults },
  fill: (scope: App) => void,
): Promise<void> {
  const { target, prefix, faults } = mount;
  await app.register(
    async (given) => {
      const scope = given as unknown as App;
      scope.setErrorHandler((error, { id: requestId, log }, reply) => {
        const failure = presentFailure(error, { errors, requestId, log });
        const { code, msg, errors: fields } = JSON.parse(failure.body);
        reply.code(failure.status).headers(failure.headers);
        return reply.send({ error: { code, message: msg, ...(fields && { fields }) } });
      });
      simulateFaults(scope, faults, target);
      fill(scope);
    },
    { prefix },
  );
}
