// The wallet service's table of contents: what it serves, and on what that stands.
import { fileURLToPath } from 'node:url';
import { registerSignInRoutes } from '@counterfoil/identity/routes';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { serveOpenApi } from '@counterfoil/kit/http/openapi/openapi';
import { servePanel } from '@counterfoil/kit/http/serve-panel';
import { createThrottle } from '@counterfoil/kit/http/throttle';
import { openQuickDoor, openQuickRead } from '@counterfoil/kit/http/transport/fast-path';
import { refuseUnknownFields } from '@counterfoil/kit/http/unknown-fields';
import { type Readiness, serveHealth, serveReadiness } from '@counterfoil/kit/observability/health';
import type { Logger } from '@counterfoil/kit/observability/logging';
import {
  createGauge,
  createMetrics,
  type Metrics,
  measureRequests,
  serveMetrics,
} from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Migration } from '@counterfoil/kit/postgres/migrate';
import { createReportReader } from '@counterfoil/kit/postgres/report-reader';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import type { FastifyRequest } from 'fastify';
import { presentMoneyAtHand } from './callbacks/error-balance.ts';
import { quickCallback } from './callbacks/fast-callback.ts';
import { createSessionFinder } from './callbacks/find-running-session.ts';
import { createCallbackRecorder } from './callbacks/record-callbacks.ts';
import { registerCallbackRoutes } from './callbacks/routes.ts';
import type { Config } from './config.ts';
import { deadlineOf } from './deadlines.ts';
import { errors, fail } from './errors.ts';
import { registerFeedRoutes } from './feed/routes.ts';
import { type CatalogueKeeper, createCatalogueKeeper } from './games/cache-catalogue.ts';
import { findSessions } from './games/find-sessions.ts';
import { registerGameRoutes } from './games/routes.ts';
import type { Ledger } from './ledger/engine/ledger.ts';
import { createLatencyReader } from './live/latency.ts';
import { createFigureWatch } from './live/watch-figures.ts';
import { managementSecurity, registerManagement } from './management.ts';
import { createAuthenticate, securitySchemes } from './packages/callers/authenticate.ts';
import { createRecognise } from './packages/callers/authenticate-from-cache.ts';
import { createPackageFinder } from './packages/callers/find-package.ts';
import { createPairUseRecorder } from './packages/credentials/record-pair-uses.ts';
import { presentCredit } from './packages/credit/credit.ts';
import { presentCreditNow } from './packages/credit/credit-now.ts';
import type { CustomerPackage } from './packages/customer-package.ts';
import { registerPackageRoutes } from './packages/routes.ts';
import { createPlayerTeller } from './players/balance-answer.ts';
import { quickBalance } from './players/fast-balance.ts';
import { createAccountFinder } from './players/find-account.ts';
import { createStatusFinder } from './players/find-status.ts';
import { createBalanceReader } from './players/get-balance.ts';
import { readAheadLater } from './players/read-ahead.ts';
import { registerPlayerRoutes } from './players/routes.ts';
import { reference } from './reference/reference.ts';
import { writeCallbackUrl } from './registrations/registration.ts';
import { registerRoundRoutes } from './rounds/routes.ts';
import { playSandbox } from './sandbox/play-sandbox.ts';
import { describeTestIds } from './sandbox/test-ids.ts';
import { createWalletSignIn } from './sign-in.ts';
import { quickUpdateBalance } from './transactions/fast-update-balance.ts';
import { createAttemptRecorder } from './transactions/record-attempts.ts';
import { registerTransactionRoutes } from './transactions/routes.ts';
import { countCalls } from './upstream/count-calls.ts';
import type { Upstream } from './upstream/upstream.ts';
import { documentedEvents } from './webhooks/event-schemas.ts';
import { startWebhookDispatcher } from './webhooks/webhooks.ts';

/** Beside the server, built by `npm run build`. */
const panelDist = fileURLToPath(new URL('../../panel/dist', import.meta.url));

export { migrationFolders } from './migration-folders.ts';

export interface WalletDeps {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  readonly readiness: Readiness;
  readonly ledger: Ledger;
  readonly upstream: Upstream;
  readonly now?: () => Date;
  /** The clock by which memory ages; a test stops it. */
  readonly monotonicMs?: () => number;
  /** Whether this process sends webhooks; a test starts a sender of its own. */
  readonly relays?: boolean;
  /** Whether players are read into memory behind the start; a test counts its statements. */
  readonly readsAhead?: boolean;
  /** A test passes a keeper that it can replace, which stands for a restart. */
  readonly catalogue?: CatalogueKeeper;
  /** How often the logs of callbacks and moved balances are written: every second by default. */
  readonly logEveryMs?: number;
  /** How often live figures are sent: every two seconds by default. */
  readonly liveEveryMs?: number;
  /** Holds the answers to a sandbox's slow test player; a test decides when they go on. */
  readonly holdSlowAnswer?: (ms: number) => Promise<unknown>;
}

export async function buildWalletApp(deps: WalletDeps): Promise<App> {
  const { config, db, ledger, logger, upstream, now = () => new Date() } = deps;
  const app = buildApp({
    errors,
    logger,
    trustProxy: config.trustProxy,
    errorExtras: (request, error) => presentCreditOnError(deps, request, error),
    deadlineOf,
  });
  app.decorateRequest('customerPackage', undefined);
  // Platforms and providers may send more fields than the published operations read.
  refuseUnknownFields(app, { below: ['/admin/v1/', '/panel/'], fail });
  const registry = createMetrics('wallet');
  const durations = measureRequests(app, registry);
  createGauge(registry, {
    name: 'ledger_queue_orders',
    help: 'Orders that wait for the batch in which they are written',
    read: ledger.queueSize,
  });

  const aging = deps.monotonicMs && { monotonicMs: deps.monotonicMs };
  const finder = await createPackageFinder({
    db,
    directUrl: config.directUrl,
    onError: (error) => logger.warn({ err: error }, 'not listening for changed packages'),
    now,
    ...aging,
  });
  const statuses = createStatusFinder({ db, ...aging });
  const accounts = await createAccountFinder({
    ...{ db, ledger },
    beside: statuses,
    directUrl: config.directUrl,
    onError: (error) => logger.warn({ err: error }, 'not listening for changed players'),
  });
  createGauge(registry, {
    name: 'players_in_memory',
    help: 'Players whose account needs no look-up',
    read: accounts.size,
  });
  const ahead = deps.readsAhead ? readAheadLater({ db, ledger, accounts, logger }) : undefined;
  const logDays = config.callbackLogDays;
  const { logEveryMs: everyMs = 1000 } = deps;
  const attempts = createAttemptRecorder({ db, logger, registry, logDays, everyMs });
  const recording = { logDays, everyMs, beside: [attempts.table] };
  const recorder = createCallbackRecorder({ db, finder, logger, registry, now, ...recording });
  const uses = createPairUseRecorder({ db, logger, now, everyMs });
  countCalls(upstream, registry);
  const maxAgeMs = config.catalogueMaxAgeMs;
  const catalogue =
    deps.catalogue ?? createCatalogueKeeper({ db, upstream, logger, now, maxAgeMs });
  const { upstream: limits, gameSessionMs: sessionMs } = config;
  const getBalance = createBalanceReader(db);
  const games = { db, upstream, catalogue, limits, sessionMs, logger, now, getBalance };
  const latency = createLatencyReader(durations, 30);
  const { liveEveryMs: tickMs = 2000 } = deps;
  const figures = createFigureWatch({ db, ledger, latency, logger, now, tickMs });
  const reports = createReportReader({ ...config, db, logger, registry });
  app.addHook('onClose', async () => {
    figures.close();
    await ahead?.stop();
    await reports.close();
    await catalogue.close();
    await ledger.drain();
    await recorder.close();
    await attempts.close();
    await uses.close();
    await finder.close();
    await accounts.close();
  });
  const throttle = createThrottle({
    perMinute: config.authFailuresPerMinute,
    now: () => now().getTime(),
  });
  const { masterKey } = config;
  const authenticate = createAuthenticate({ finder, masterKey, throttle, uses, now });

  const recognise = createRecognise({ finder, masterKey, uses, now });
  const sessions = createSessionFinder({ find: (wanted) => findSessions(db, wanted), now });
  const play = { getBalance, ledger, accounts, statuses, sessions, recorder, now };
  const quick = {
    ...{ recognise, ledger, accounts },
    presentCreditNow: (given: CustomerPackage, error: unknown) =>
      presentCreditNow(deps, given, error),
  };
  const door = { errors, logger, durations, trustProxy: config.trustProxy };
  openQuickDoor(app, door, quickUpdateBalance({ ...quick, attempts, now }));
  openQuickDoor(app, door, quickCallback({ ...quick, ...play }));
  const tellPlayer = createPlayerTeller(play);
  openQuickRead(app, door, quickBalance({ ...quick, getBalance: tellPlayer }));

  const signIn = createWalletSignIn(db, config, now);

  await serveOpenApi(app, {
    title: 'Counterfoil Wallet',
    description:
      "Keep players' wallets, list and launch games, receive bets and wins. A sandbox " +
      `(\`UID_test_…\`, \`gpk_test_…\`) has a player for every answer: ${describeTestIds()}`,
    serverUrl: config.publicUrl,
    tags: [
      { name: 'Package', description: 'Your own package.' },
      { name: 'Players', description: 'Players and their balances.' },
      { name: 'Transactions', description: 'Credits, debits and statements.' },
      { name: 'Games', description: 'The catalogue, and launching from it.' },
      { name: 'Callbacks', description: 'For the provider, and what came of it.' },
      { name: 'Administration', description: 'Packages and people, by administrator token.' },
      { name: 'Webhooks', description: 'What the service posts to your endpoints.' },
      { name: 'Panel', description: 'For the web panel, by session.' },
      { name: 'Operations', description: 'For whoever runs the service.' },
    ],
    securitySchemes: {
      ...securitySchemes,
      ...managementSecurity,
      session: { type: 'apiKey', in: 'cookie', name: signIn.cookieName },
    },
    events: documentedEvents,
    reference,
  });
  serveHealth(app, 'wallet');
  serveReadiness(app, { ...deps, url: config.databaseUrl, service: 'wallet', errors });
  serveMetrics(app, {
    registry,
    errors,
    token: config.metricsToken,
    production: config.production,
  });
  // Pictures of games stand where the provider does.
  const mediaSources = [limits.privateUrl, limits.publicUrl].map((url) => new URL(url).origin);
  servePanel(app, { dist: panelDist, errors, mediaSources });
  registerSignInRoutes(app, signIn);
  const looks = { db: finder.watch(db), ledger, statuses, figures, reports, attempts };
  const hooks = openWebhooks(app, { ...deps, registry, now });
  const callbackUrl = writeCallbackUrl(config.publicUrl);
  const shared = { signIn, masterKey, throttle, callbackUrl };
  registerManagement(app, { ...games, ...looks, ...hooks, ...shared });
  const { holdSlowAnswer: hold } = deps;
  playSandbox(app, { db, ledger, accounts, statuses, now, getBalance, ...(hold && { hold }) });
  registerPackageRoutes(app, { db, authenticate });
  registerPlayerRoutes(app, { db, authenticate, now, statuses, getBalance: tellPlayer });
  registerTransactionRoutes(app, { db, authenticate, ledger, accounts, attempts, now });
  registerGameRoutes(app, { ...games, authenticate });
  registerRoundRoutes(app, { db, authenticate, accounts });
  registerFeedRoutes(app, { db, authenticate });
  registerCallbackRoutes(app, { ...play, finder, throttle, uses, masterKey });
  return app;
}

/** Sent by this process too where it is told to; a turn under way ends before the service does. */
function openWebhooks(app: App, deps: WalletDeps & { registry: Metrics; now: () => Date }) {
  const { config, relays = false } = deps;
  const { masterKey, webhooks: settings } = config;
  const guard = createAddressGuard(settings);
  const sender = createSender(guard);
  const relay = relays
    ? startWebhookDispatcher({ ...deps, masterKey, settings, sender })
    : undefined;
  app.addHook('onClose', async () => {
    await relay?.stop();
    await sender.close();
  });
  return { guard, sender };
}

/** Errors carry the credit too, from the package's state on. */
async function presentCreditOnError(
  deps: Pick<WalletDeps, 'db' | 'ledger'>,
  request: FastifyRequest,
  error: unknown,
): Promise<Record<string, unknown>> {
  const { customerPackage, callback } = request;
  if (!customerPackage || !request.routeOptions.config.carriesCredit) return {};
  const known = callback?.credit;
  const credit =
    known === undefined
      ? await presentCreditNow(deps, customerPackage, error)
      : presentCredit(customerPackage, known);
  return { ...credit, ...presentMoneyAtHand(request) };
}
