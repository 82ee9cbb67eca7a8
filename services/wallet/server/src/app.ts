// The table of contents of the wallet service: its parts, its routes, and how they are wired together.
import { fileURLToPath } from 'node:url';
import { registerSignInRoutes } from '@counterfoil/identity/routes';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { AnswerFailure } from '@counterfoil/kit/http/answer-failure';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { serveOpenApi } from '@counterfoil/kit/http/openapi/openapi';
import { createOverloadResponder } from '@counterfoil/kit/http/overload-response';
import { servePanel } from '@counterfoil/kit/http/serve-panel';
import { createThrottle } from '@counterfoil/kit/http/throttle';
import { serveFastPath, serveFastRead } from '@counterfoil/kit/http/transport/fast-path';
import { refuseUnknownFields } from '@counterfoil/kit/http/unknown-fields';
import { type Readiness, serveHealth, serveReadiness } from '@counterfoil/kit/observability/health';
import type { Logger } from '@counterfoil/kit/observability/logging';
import {
  createGauge,
  createMetrics,
  createReadCounter,
  type Metrics,
  measureRequests,
  serveMetrics,
} from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Migration } from '@counterfoil/kit/postgres/migrate';
import { createReportReader } from '@counterfoil/kit/postgres/report-reader';
import { registerMailbox } from '@counterfoil/mail/mailbox';
import { startMailDispatcher } from '@counterfoil/mail/outbox/dispatcher';
import { createMailer, type Mailer } from '@counterfoil/mail/outbox/mailer';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { fastCallback } from './callbacks/fast-callback.ts';
import { createSessionFinder } from './callbacks/find-running-session.ts';
import { createCallbackRecorder } from './callbacks/record-callbacks.ts';
import { registerCallbackRoutes } from './callbacks/routes.ts';
import type { Config } from './config.ts';
import { answerRouterFailure } from './connections/answer-router-failure.ts';
import { createProviderCallRecorder } from './connections/calls/record-calls.ts';
import { writeProvidersUrl } from './connections/connection.ts';
import { deleteExpiredLater } from './connections/delete-expired.ts';
import { dialects } from './connections/dialects/dialects.ts';
import { type ConnectionFinder, createConnectionFinder } from './connections/find-connection.ts';
import { createNonceStore } from './connections/nonces.ts';
import { createPurseReader } from './connections/read-purses.ts';
import { fastProviderCall, registerProviderRoutes } from './connections/routes.ts';
import { createConnectionSources } from './connections/sources/connection-sources.ts';
import { deadlineOf, defaultDeadlineMs } from './deadlines.ts';
import { errors, fail } from './errors.ts';
import { registerFeedRoutes } from './feed/routes.ts';
import { type CatalogueCache, createCatalogueCache } from './games/catalogue-cache.ts';
import { createGameSources } from './games/game-sources.ts';
import { findSessions } from './games/queries.ts';
import { registerGameRoutes } from './games/routes.ts';
import { openPromoAccount } from './ledger/accounts.ts';
import type { Ledger } from './ledger/engine/ledger.ts';
import { createRefusalStore } from './ledger/refused-requests.ts';
import { createLatencyReader } from './live/latency.ts';
import { createFigureWatch } from './live/watch-figures.ts';
import { managementSecurity, registerManagement } from './management.ts';
import { createAuthenticate, securitySchemes } from './packages/callers/authenticate.ts';
import { createAuthenticateFromCache } from './packages/callers/authenticate-from-cache.ts';
import { createPackageFinder } from './packages/callers/find-package.ts';
import { registerPackageRoutes } from './packages/callers/routes.ts';
import { createPairUseRecorder } from './packages/credentials/record-pair-uses.ts';
import { createRefuse } from './packages/credit/credit-now.ts';
import { writeCallbackUrl } from './packages/registration/registration.ts';
import { createBalanceReader, createBatchedBalanceReader } from './players/balance.ts';
import { fastBalance } from './players/fast-balance.ts';
import { createAccountFinder } from './players/find-account.ts';
import { createStatusFinder } from './players/find-status.ts';
import { readAheadLater } from './players/read-ahead.ts';
import { registerPlayerRoutes } from './players/routes.ts';
import { reference } from './reference/reference.ts';
import { registerRoundRoutes } from './rounds/routes.ts';
import { playSandbox } from './sandbox/play-sandbox.ts';
import { describeTestIds } from './sandbox/test-ids.ts';
import { createWalletSignIn } from './sign-in.ts';
import { fastUpdateBalance } from './transactions/fast-update-balance.ts';
import { createAttemptRecorder } from './transactions/record-attempts.ts';
import { registerTransactionRoutes } from './transactions/routes.ts';
import { createCallCounter, type Upstream } from './upstream/upstream.ts';
import { documentedEvents } from './webhooks/event-schemas.ts';
import { startWebhookDispatcher } from './webhooks/webhooks.ts';

/** The files of the panel, which `npm run build` creates. */
const panelDist = fileURLToPath(new URL('../../panel/dist', import.meta.url));

export { migrationFolders } from './migration-folders.ts';

export interface WalletDeps {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  readonly readiness: Readiness;
  readonly ledger: Ledger;
  /** The number of orders that this process has handed to other processes. */
  readonly countHandedOver?: (() => number) | undefined;
  readonly upstream: Upstream;
  readonly now?: () => Date;
  /** The clock that determines the age of cache entries. A test can stop this clock. */
  readonly monotonicMs?: () => number;
  /** Whether this process sends webhooks and mail; false by default, because tests start their own sender. */
  readonly sendsWebhooks?: boolean;
  /** Whether players are loaded into memory after the start. It is false in tests that count statements. */
  readonly readsAhead?: boolean;
  /** The cache of the catalogue. A test replaces the cache to simulate a restart. */
  readonly catalogue?: CatalogueCache;
  /** Interval for writing the logs of callbacks and transfers; 1 second by default. */
  readonly logEveryMs?: number;
  /** Interval for sending live figures; 2 seconds by default. */
  readonly liveEveryMs?: number;
  /** Deadline of operations that do not call the provider; a test shortens it. */
  readonly answerWithinMs?: number;
  /**
   * Delays the answers to calls with the sandbox's player id `test_slow`. A test passes a function that
   * decides when these answers are sent.
   */
  readonly delaySlowAnswer?: (ms: number) => Promise<unknown>;
}

export async function buildWalletApp(deps: WalletDeps): Promise<App> {
  const { config, logger, answerWithinMs = defaultDeadlineMs } = deps;
  const refuse = createRefuse(deps);
  // Answers failed requests of providers in their own protocols, because providers cannot read the wallet's
  // errors. This function needs parts that are opened below, so it is set later.
  let answerFailure: AnswerFailure = () => undefined;
  const app = buildApp({
    errors,
    logger,
    trustProxy: config.trustProxy,
    servesFromSockets: config.servesFromSockets,
    completeError: async ({ customerPackage, routeOptions }, error) =>
      customerPackage && routeOptions.config.carriesCredit ? refuse(customerPackage, error) : error,
    answerFailure: (failed) => answerFailure(failed),
    deadlineOf: (method, path) => deadlineOf(method, path, answerWithinMs),
  });
  app.decorateRequest('customerPackage', undefined);
  // Only routes below these two prefixes refuse unknown fields. Platforms and providers call the other
  // routes, and may send fields that the wallet does not know.
  refuseUnknownFields(app, { below: ['/admin/v1/', '/panel/'], fail });
  const parts = await openParts(app, deps);
  answerFailure = answerRouterFailure(parts.connecting);
  serveFastPaths(app, deps, parts);
  const mailer = openMail(app, { ...deps, ...parts });
  const signIn = createWalletSignIn(parts.db, config, parts.now, mailer);
  await serveReference(app, config, signIn);
  serveOperations(app, deps, parts.registry);
  registerSignInRoutes(app, signIn);
  registerRoutes(app, deps, { ...parts, signIn, mailer });
  return app;
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens the caches and the background work. All of them are closed when the app closes. */
async function openParts(app: App, deps: WalletDeps) {
  const { config, db, ledger, logger, upstream, now = () => new Date() } = deps;
  const metrics = openMetrics(app, deps);
  const caches = await openCaches(deps, metrics.registry, now);
  const background = openBackground(app, deps, { ...metrics, ...caches, now });
  const { finder, statuses, accounts } = caches;
  const { attempts, recorder, uses, catalogue } = background;
  const { masterKey, upstream: limits, gameSessionMs: sessionMs } = config;
  const getBalance = createBalanceReader(db);
  const connections = createConnectionFinder({ db, masterKey, finder, ...agingOf(deps) });
  const sources = openGameSources(app, deps, { ...background, connections, finder, now });
  const games = { db, upstream, catalogue, sources, limits, sessionMs, logger, now, getBalance };
  const throttle = createThrottle({ perMinute: config.authFailuresPerMinute, now: () => now().getTime() });
  const sessions = createSessionFinder({ find: (wanted) => findSessions(db, wanted), now });
  const { answerWithinMs = defaultDeadlineMs } = deps;
  const answering = { refuse: createRefuse(deps), answerWithinMs, now, ledger, accounts };
  const createOverload = (path: string) => createOverloadResponder({ errors, logger, path });
  const openPromo = (packageId: number, account: bigint) => openPromoAccount(db, packageId, account);
  const updating = {
    ...answering,
    attempts,
    overload: createOverload('/api/v1/user/update_balance'),
    openPromoAccount: openPromo,
  };
  const overload = createOverload('/api/v1/game/callback');
  const playing = { ...answering, statuses, sessions, getBalance, recorder, overload };
  const reading = { ...answering, getBalance: createBatchedBalanceReader(playing) };
  const authenticate = createAuthenticate({ finder, masterKey, throttle, uses, now });
  const connecting = {
    ...playing,
    db,
    logger,
    dialects,
    connections,
    nonces: background.nonces,
    refusals: createRefusalStore({ db, now }),
    forged: recorder.forged,
    calls: background.calls,
    purses: createPurseReader(db),
    openPromoAccount: openPromo,
  };
  const routes = { throttle, games, updating, playing, reading, connecting, authenticate };
  return { db, now, ...metrics, ...caches, ...background, ...routes };
}

function openMetrics(app: App, { ledger, countHandedOver = () => 0 }: WalletDeps) {
  const registry = createMetrics('wallet');
  const durations = measureRequests(app, registry);
  createGauge(registry, {
    name: 'ledger_queue_orders',
    help: 'Orders that wait for the batch in which they are written',
    read: ledger.queueSize,
  });
  createReadCounter(registry, {
    name: 'ledger_batches_total',
    help: 'Batches of orders that this process sent to the database',
    read: () => ledger.counters.batches,
  });
  createReadCounter(registry, {
    name: 'ledger_conflicts_total',
    help: 'Batches that were decided again because another process wrote first',
    read: () => ledger.counters.stale,
  });
  createReadCounter(registry, {
    name: 'ledger_handed_over_orders_total',
    help: 'Orders that this process handed to the process that writes the package',
    read: countHandedOver,
  });
  return { registry, durations };
}

const agingOf = ({ monotonicMs }: WalletDeps) => monotonicMs && { monotonicMs };

async function openCaches(deps: WalletDeps, registry: Metrics, now: () => Date) {
  const { config, db, ledger, logger } = deps;
  const { directUrl, maxPlayersInMemory: maxEntries } = config;
  const aging = agingOf(deps);
  const finder = await createPackageFinder({
    db,
    directUrl,
    onError: (error) => logger.warn({ err: error }, 'not listening for changed packages'),
    now,
    ...aging,
  });
  const statuses = createStatusFinder({ db, ...aging });
  const accounts = await createAccountFinder({
    db,
    ledger,
    statuses,
    directUrl,
    maxEntries,
    onError: (error) => logger.warn({ err: error }, 'not listening for changed players'),
  });
  createGauge(registry, {
    name: 'players_in_memory',
    help: 'Players whose account needs no look-up',
    read: accounts.size,
  });
  const ahead = deps.readsAhead ? readAheadLater({ db, ledger, accounts, logger }) : undefined;
  return { finder, statuses, accounts, ahead };
}

type BackgroundParts = ReturnType<typeof openMetrics> &
  Awaited<ReturnType<typeof openCaches>> & { readonly now: () => Date };

/** Opens the background work. Closing the app closes the background work first, then the caches. */
function openBackground(app: App, deps: WalletDeps, parts: BackgroundParts) {
  const { config, db, ledger, logger, upstream } = deps;
  const { callbackLogDays: logDays, catalogueMaxAgeMs: maxAgeMs } = config;
  const { logEveryMs: everyMs = 1000, liveEveryMs: tickMs = 2000 } = deps;
  const { registry, durations, finder, accounts, ahead, now } = parts;
  const attempts = createAttemptRecorder({ db, logger, registry, logDays, everyMs });
  const calls = createProviderCallRecorder({ db, logger, registry, now, logDays, everyMs });
  const recording = { logDays, everyMs, otherTables: [attempts.table, calls.table] };
  const recorder = createCallbackRecorder({ db, finder, logger, registry, now, ...recording });
  const nonces = createNonceStore({ db, now });
  const expiry = deleteExpiredLater({ db, logger, now });
  const uses = createPairUseRecorder({ db, logger, now, everyMs });
  const onCall = createCallCounter(registry);
  upstream.watch(onCall);
  const catalogue = deps.catalogue ?? createCatalogueCache({ db, upstream, logger, now, maxAgeMs });
  const latency = createLatencyReader(durations, 30);
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
    await calls.close();
    await expiry.stop();
    await uses.close();
    await finder.close();
    await accounts.close();
  });
  return { attempts, recorder, calls, nonces, uses, catalogue, onCall, figures, reports };
}

type SourceParts = Pick<ReturnType<typeof openBackground>, 'catalogue' | 'onCall'> &
  Pick<BackgroundParts, 'finder' | 'now'> & { readonly connections: ConnectionFinder };

/** Opens the provider connections that list games in addition to the configured upstream. */
function openGameSources(app: App, deps: WalletDeps, parts: SourceParts) {
  const { config, db, logger } = deps;
  const { catalogue, connections, finder, now, onCall } = parts;
  const { catalogueMs, breaker, launchHosts } = config.upstream;
  const guard = createAddressGuard(config.webhooks);
  const opened = createConnectionSources({
    db,
    connections,
    onChange: finder.onChange,
    catalogueMs: catalogueMs.private,
    breaker,
    launchHosts,
    now,
    onCall,
    lookup: guard.lookup,
    refuseUrl: guard.refuse,
    ...agingOf(deps),
  });
  const listing = { db, catalogue, logger, now, waitMs: catalogueMs.private };
  const sources = createGameSources({ ...listing, listSources: opened.list });
  app.addHook('onClose', async () => {
    await sources.close();
    await opened.close();
  });
  return sources;
}

/** Registers the fast paths, which answer plain requests with cached credentials before the router. */
function serveFastPaths(app: App, { config, logger }: WalletDeps, parts: Parts): void {
  const { durations, updating, playing, reading } = parts;
  const { masterKey, trustProxy } = config;
  const authenticateFromCache = createAuthenticateFromCache({ ...parts, masterKey });
  const options = { errors, logger, durations, trustProxy };
  serveFastPath(app, options, fastUpdateBalance({ ...updating, authenticateFromCache }));
  serveFastPath(app, options, fastCallback({ ...playing, authenticateFromCache }));
  serveFastPath(app, options, fastProviderCall(parts.connecting));
  serveFastRead(app, options, fastBalance({ ...reading, authenticateFromCache }));
}

const serveReference = (app: App, config: Config, signIn: SignIn): Promise<void> =>
  serveOpenApi(app, {
    title: 'Counterfoil Wallet',
    description:
      "Manage players' wallets, list and launch games, receive bets and wins. A sandbox " +
      `(\`UID_test_…\`, \`gpk_test_…\`) has test players and games: ${describeTestIds()}`,
    serverUrl: config.publicUrl,
    tags: [
      { name: 'Package', description: 'Your own package.' },
      { name: 'Players', description: 'Players and their balances.' },
      { name: 'Transactions', description: 'Credits, debits and statements.' },
      { name: 'Games', description: 'The catalogue, launches and sessions.' },
      { name: 'Callbacks', description: 'Bets and wins from the provider, and their log.' },
      { name: 'Administration', description: 'Packages and people, with an administrator token.' },
      { name: 'Webhooks', description: 'Events that the service sends to your endpoints.' },
      { name: 'Panel', description: 'Operations of the web panel, with a session.' },
      { name: 'Operations', description: 'Health and metrics, for operators of the service.' },
    ],
    securitySchemes: {
      ...securitySchemes,
      ...managementSecurity,
      session: { type: 'apiKey', in: 'cookie', name: signIn.cookieName },
    },
    events: documentedEvents,
    reference,
  });

function serveOperations(app: App, deps: WalletDeps, registry: Metrics): void {
  const { config } = deps;
  const { metricsToken: token, production, upstream } = config;
  serveHealth(app, 'wallet');
  serveReadiness(app, { ...deps, url: config.databaseUrl, service: 'wallet', errors });
  serveMetrics(app, { registry, errors, token, production });
  // The panel shows pictures of games, which the provider serves. So the origins of the provider are allowed
  // as sources of media.
  const mediaSources = [upstream.privateUrl, upstream.publicUrl].map((url) => new URL(url).origin);
  servePanel(app, { dist: panelDist, errors, mediaSources });
}

function registerRoutes(app: App, deps: WalletDeps, parts: Parts & { signIn: SignIn; mailer: Mailer }): void {
  const { config, ledger, delaySlowAnswer: delay } = deps;
  const { masterKey } = config;
  const { db, finder, games, now, registry } = parts;
  registerManagement(app, {
    ...parts,
    ...games,
    ...openWebhooks(app, { ...deps, registry, now, mailer: parts.mailer }),
    db: finder.watch(db),
    ledger,
    masterKey,
    callbackUrl: writeCallbackUrl(config.publicUrl),
    providersUrl: writeProvidersUrl(config.publicUrl),
  });
  const { getBalance } = games;
  playSandbox(app, { ...parts, ledger, getBalance, ...(delay && { delay }) });
  registerPackageRoutes(app, parts);
  registerPlayerRoutes(app, { ...parts, ...parts.reading });
  registerTransactionRoutes(app, { ...parts, ...parts.updating });
  registerGameRoutes(app, { ...parts, ...games });
  registerRoundRoutes(app, parts);
  registerFeedRoutes(app, parts);
  registerCallbackRoutes(app, { ...parts, ...parts.playing, masterKey });
  registerProviderRoutes(app, parts.connecting);
}

interface MailParts {
  readonly registry: Metrics;
  readonly now: () => Date;
}

/**
 * Creates the mailer and starts the delivery of mail. Closing the app waits for the message that is being
 * sent.
 */
function openMail(app: App, deps: WalletDeps & MailParts): Mailer {
  const { config, db } = deps;
  const { masterKey, publicUrl, mail: settings } = config;
  const service = 'Counterfoil Wallet';
  const mailer = createMailer({ settings, masterKey, now: deps.now, service, publicUrl });
  const dispatcher = deps.sendsWebhooks ? startMailDispatcher({ ...deps, mailer, settings }) : undefined;
  app.addHook('onClose', async () => await dispatcher?.stop());
  if (settings.mode === 'mailbox') registerMailbox(app, { db, mailer, errors });
  return mailer;
}

/** Closing the app waits for the delivery run in progress. */
function openWebhooks(app: App, deps: WalletDeps & MailParts & { mailer: Mailer }) {
  const { config, sendsWebhooks = false } = deps;
  const { masterKey, webhooks: settings } = config;
  const guard = createAddressGuard(settings);
  const sender = createSender(guard);
  const dispatcher = sendsWebhooks
    ? startWebhookDispatcher({ ...deps, masterKey, settings, sender })
    : undefined;
  app.addHook('onClose', async () => {
    await dispatcher?.stop();
    await sender.close();
  });
  return { guard, sender };
}
