// Builds the licensing service: its routes, and the parts that the routes share.
import { fileURLToPath } from 'node:url';
import { registerSignInRoutes } from '@counterfoil/identity/routes';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { serveOpenApi } from '@counterfoil/kit/http/openapi/openapi';
import { servePanel } from '@counterfoil/kit/http/serve-panel';
import { createThrottle, type Throttle } from '@counterfoil/kit/http/throttle';
import { serveFastPath } from '@counterfoil/kit/http/transport/fast-path';
import { refuseUnknownFields } from '@counterfoil/kit/http/unknown-fields';
import { type Readiness, serveHealth, serveReadiness } from '@counterfoil/kit/observability/health';
import type { Logger } from '@counterfoil/kit/observability/logging';
import {
  createMetrics,
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
import { registerAbusePanelRoutes } from './abuse/panel-routes.ts';
import { type AccessPolicy, createKeyPolicy, createPanelPolicy } from './access-policy.ts';
import { registerAccountManagement } from './accounts/management-routes.ts';
import { registerAccountPanelRoutes } from './accounts/panel-routes.ts';
import { registerAccountRoutes } from './accounts/routes.ts';
import { registerActivationManagement } from './activations/management-routes.ts';
import { registerActivationRoutes } from './activations/routes.ts';
import { registerApiKeyPanelRoutes } from './api-keys/panel-routes.ts';
import { registerAuditPanelRoutes } from './audit/panel-routes.ts';
import { type Authenticate, createAuthenticate, decorateRequests } from './authentication/authenticate.ts';
import { softenRefusal } from './authentication/soften-refusal.ts';
import { makeBuyerCookie } from './buyers/buyer-session.ts';
import { registerBuyerErasure } from './buyers/management-routes.ts';
import { registerBuyerPortal } from './buyers/panel-routes.ts';
import { createRefusedSignIns } from './buyers/refused-sign-ins.ts';
import type { Config } from './config.ts';
import { allowOtherOrigins } from './cors.ts';
import { registerDemoMedia } from './demo/routes.ts';
import { registerDownloadLinks } from './downloads/management-routes.ts';
import { registerDownloadRoutes } from './downloads/routes.ts';
import { errors, fail } from './errors.ts';
import { registerFileUpload } from './items/management/file-routes.ts';
import { registerItemManagement } from './items/management/management-routes.ts';
import { registerMediaRoutes } from './items/media/routes.ts';
import { startMediaSweeper } from './items/media/sweep-media.ts';
import { registerItemRoutes } from './items/routes.ts';
import { fastLicence } from './licences/fast-licence.ts';
import { registerLicenceManagement } from './licences/management-routes.ts';
import { registerLicenceRoutes } from './licences/routes.ts';
import { type Lookups, openLookups } from './lookups.ts';
import { registerMailPanelRoutes } from './mail/panel-routes.ts';
import { registerOverviewPanelRoutes } from './overview/panel-routes.ts';
import { registerPeoplePanelRoutes } from './people/panel-routes.ts';
import { createDraw } from './pools/draw-code.ts';
import { registerPoolManagement } from './pools/management-routes.ts';
import { registerPoolExport } from './pools/panel-routes.ts';
import { createCodeHasher } from './purchases/code.ts';
import { registerPurchaseExport } from './purchases/import/panel-export-routes.ts';
import { registerPurchaseImport } from './purchases/import/panel-import-routes.ts';
import { registerPurchaseManagement } from './purchases/management/management-routes.ts';
import { countBuyers, countCodes } from './purchases/management/queries.ts';
import { fastValidation } from './purchases/validation/fast-validation.ts';
import { registerCodeCheck } from './purchases/validation/panel-check-routes.ts';
import { registerPurchaseRoutes } from './purchases/validation/routes.ts';
import type { WaitForSlowCode } from './purchases/validation/test-codes.ts';
import { describeApi } from './reference/reference.ts';
import { registerRequestLogPanelRoutes } from './request-log/panel-routes.ts';
import { createLicensingSignIn } from './sign-in.ts';
import { registerSigningKeyManagement } from './signing-keys/management-routes.ts';
import { registerKeySetRoute } from './signing-keys/routes.ts';
import { createAnswerSigning } from './signing-keys/sign-answers.ts';
import { registerUpdateRoutes } from './updates/routes.ts';
import { registerUsagePanelRoutes } from './usage/panel-routes.ts';
import { createUsageRecorder, type UsageRecorderOptions } from './usage/record-usage.ts';
import { reportRequests } from './usage/report-requests.ts';
import type { UsageSink } from './usage/usage-sink.ts';
import { registerVendorRoutes } from './vendor-clients/routes.ts';
import { startWebhookDispatcher } from './webhook-dispatcher.ts';
import { registerWebhookPanelRoutes } from './webhooks/panel-routes.ts';
import { registerWorkspacePanelRoutes } from './workspaces/panel-routes.ts';

/** `npm run build` writes this folder. */
const panelDist = fileURLToPath(new URL('../../panel/dist', import.meta.url));

export { migrationFolders } from './migration-folders.ts';

/**
 * The limit of activations and releases for each purchase. Normal use stays far below this limit, because
 * software on a buyer's host rarely activates or releases a purchase.
 */
const activationChangesPerMinute = 30;

/** The limit for the changes, downloads and exports of a buyer's session in the buyer portal. */
const buyerChangesPerMinute = 30;

export interface LicensingDeps {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  readonly readiness: Readiness;
  readonly now?: () => Date;
  /** The monotonic clock that expires cached data. */
  readonly monotonicMs?: () => number;
  readonly usage?: UsageSink;
  /** Interval for writing buffered usage to the database. */
  readonly flushEveryMs?: number;
  readonly waitForSlowCode?: WaitForSlowCode;
  /** Benchmarks use this option to replace the lookups of the service. */
  readonly lookups?: Lookups;
  /**
   * Whether this process sends webhooks and mail, and removes unused media. The default is false, because
   * tests start their own dispatcher.
   */
  readonly sendsWebhooks?: boolean;
}

/** The parts of the service that several groups of routes share. */
interface Parts extends LicensingDeps {
  readonly now: () => Date;
  readonly registry: Metrics;
  readonly durations: ReturnType<typeof measureRequests>;
  readonly lookups: Lookups;
  readonly usage: UsageSink;
  readonly authenticate: Authenticate;
  readonly signIn: SignIn;
  readonly mailer: Mailer;
  readonly throttle: (perMinute: number) => Throttle;
}

export async function buildLicensingApp(deps: LicensingDeps): Promise<App> {
  const { config, db, logger, now = () => new Date(), monotonicMs = () => performance.now() } = deps;
  const { trustProxy, servesFromSockets } = config;
  const app = buildApp({ errors, logger, trustProxy, servesFromSockets, answerAs: softenRefusal });
  const registry = createMetrics('licensing');
  const durations = measureRequests(app, registry);

  const lookups = deps.lookups ?? (await openLookups(deps));
  app.addHook('onClose', () => lookups.close());
  const throttle = (perMinute: number) => createThrottle({ perMinute, now: () => now().getTime() });
  decorateRequests(app);
  // Plug-ins on buyers' sites call these routes and may send unknown fields, which are therefore accepted.
  const except = ['/api/v1/activations', '/api/v1/activations/release', '/api/v1/licences'];
  refuseUnknownFields(app, { below: ['/panel/', '/api/v1/'], except, query: ['api_key'], fail });
  const authenticate = createAuthenticate({
    finder: lookups.apiKeys,
    throttle: throttle(config.authFailuresPerMinute),
    now,
  });
  const usage = deps.usage ?? openUsageSink(app, { ...deps, ...config, registry, now });
  const serverUrl = config.publicUrl;
  reportRequests(app, { usage, registry, ownOrigin: new URL(serverUrl).origin, now });
  const mailer = openMail(app, { ...deps, registry, now });
  const signIn = createLicensingSignIn(db, config, now, mailer);
  const buyerCookieName = makeBuyerCookie(serverUrl).cookieName;
  const { cookieName } = signIn;
  await serveOpenApi(app, describeApi({ serverUrl, cookieName, buyerCookieName }));

  const own = { now, registry, durations, lookups, usage, authenticate, signIn, mailer, throttle };
  const parts: Parts = { ...deps, ...own };
  serveOperations(app, parts);
  openMediaSweeper(app, parts);
  registerPanel(app, parts);
  registerPublicApi(app, parts);
  const policies = [createKeyPolicy(authenticate), createPanelPolicy(signIn)];
  await registerManagement(app, policies, { ...config, db, now, monotonicMs, logger, mailer });
  return app;
}

/** Serves health, readiness and metrics to operators, and the files of the panel to browsers. */
function serveOperations(app: App, { registry, ...deps }: Parts): void {
  const { config } = deps;
  allowOtherOrigins(app);
  serveHealth(app, 'licensing');
  serveReadiness(app, { ...deps, url: config.databaseUrl, service: 'licensing', errors });
  serveMetrics(app, { registry, errors, token: config.metricsToken, production: config.production });
  // The URLs of uploaded media contain the host of `publicUrl`. The panel may be open under another host, so
  // its content security policy must allow the origin of the media.
  const mediaSources = [new URL(config.publicUrl).origin];
  servePanel(app, { dist: panelDist, errors, mediaSources });
  if (config.demo) registerDemoMedia(app);
}

/**
 * Registers the operations of the panel. People with a session call them in workspaces of which they are
 * members.
 */
function registerPanel(app: App, parts: Parts): void {
  const { config, db, logger, registry, lookups, signIn, now } = parts;
  const deps = { ...config, db, signIn, now };
  registerSignInRoutes(app, signIn);
  registerWorkspacePanelRoutes(app, deps);
  registerPeoplePanelRoutes(app, deps);
  registerAccountPanelRoutes(app, deps);
  const importThrottle = parts.throttle(config.authFailuresPerMinute);
  registerApiKeyPanelRoutes(app, { ...deps, importThrottle });
  registerAuditPanelRoutes(app, deps);
  registerRequestLogPanelRoutes(app, deps);
  registerUsagePanelRoutes(app, deps);
  registerOverviewPanelRoutes(app, deps);
  registerAbusePanelRoutes(app, deps);
  registerCodeCheck(app, { ...deps, sellers: lookups.sellers, find: lookups.purchases });
  registerPurchaseImport(app, deps);
  registerPoolExport(app, deps);
  openWebhooks(app, parts);
  registerMailPanelRoutes(app, { ...deps, mailer: parts.mailer });
  registerBuyerPortal(app, {
    ...parts,
    ...deps,
    sellers: lookups.sellers,
    cookie: makeBuyerCookie(config.publicUrl),
    refusedSignIns: createRefusedSignIns(parts),
    changes: parts.throttle(buyerChangesPerMinute),
  });
  const reports = createReportReader({ ...config, db, logger, registry });
  app.addHook('onClose', () => reports.close());
  registerPurchaseExport(app, { ...deps, reports });
}

/**
 * Registers the operations of the specification, the operations that buyers' sites call (activations,
 * licences and updates), and the operations for clients of other vendors.
 */
function registerPublicApi(app: App, parts: Parts): void {
  const { config, db, logger, lookups, authenticate, throttle, usage, now } = parts;
  registerAccountRoutes(app, { db, authenticate });
  registerItemRoutes(app, { db, authenticate, itemLister: lookups.items });
  const validation = {
    find: lookups.purchases,
    hashCode: createCodeHasher(config.masterKey),
    masterKey: config.masterKey,
    wrongCodes: {
      secret: throttle(config.wrongCodesPerMinute.secret),
      publishable: throttle(config.wrongCodesPerMinute.publishable),
    },
    usage,
    now,
    sellers: lookups.sellers,
    signing: createAnswerSigning({ signingKeys: lookups.signingKeys, now }),
  };
  const changes = throttle(activationChangesPerMinute);
  const activation = { ...validation, db, authenticate, changes };
  const licences = { ...activation, ...lookups, publicUrl: config.publicUrl };
  const fastPath = { errors, logger, durations: parts.durations, trustProxy: config.trustProxy };
  serveFastPath(app, fastPath, fastValidation({ ...validation, apiKeys: lookups.apiKeys }));
  serveFastPath(app, fastPath, fastLicence(licences));
  const { waitForSlowCode } = parts;
  registerPurchaseRoutes(app, { ...validation, authenticate, waitForSlowCode });
  registerActivationRoutes(app, activation);
  registerKeySetRoute(app, { ...lookups, now });
  registerLicenceRoutes(app, licences);
  registerUpdateRoutes(app, { ...config, ...validation, ...lookups, db, onLost: reportLost(logger) });
  registerVendorRoutes(app, activation);
}

/** Registers the management operations, which programs call with a key and people with a session. */
async function registerManagement(
  app: App,
  policies: readonly AccessPolicy[],
  deps: Config & { db: Db; now: () => Date; monotonicMs: () => number; logger: Logger; mailer: Mailer },
): Promise<void> {
  const draw = createDraw(deps);
  for (const policy of policies) {
    registerAccountManagement(app, policy, deps);
    registerItemManagement(app, policy, { ...deps, countCodes, countBuyers });
    registerPurchaseManagement(app, policy, deps);
    registerPoolManagement(app, policy, { ...deps, draw });
    registerBuyerErasure(app, policy, deps);
    registerActivationManagement(app, policy, deps);
    registerSigningKeyManagement(app, policy, deps);
    registerLicenceManagement(app, policy, deps);
    registerDownloadLinks(app, policy, deps);
  }
  await registerFileUpload(app, policies, { ...deps, countCodes });
  registerMediaRoutes(app, deps);
  registerDownloadRoutes(app, { ...deps, onLost: reportLost(deps.logger) });
}

const reportLost = (logger: Logger) => (error: unknown) =>
  logger.error({ err: error }, 'a completed download was not recorded');

/** Removes unused media files in the background. */
function openMediaSweeper(app: App, { config, db, now, logger, sendsWebhooks }: Parts): void {
  if (!sendsWebhooks) return;
  const onError = (error: unknown) => logger.warn({ err: error }, 'unused media could not be removed');
  const sweeper = startMediaSweeper({ ...config, db, now, onError });
  app.addHook('onClose', () => sweeper.stop());
}

/**
 * Creates the mailer, and starts the mail dispatcher if this process sends mail. When the service stops, it
 * waits for the message that is being sent.
 */
function openMail(app: App, deps: LicensingDeps & Pick<Parts, 'registry' | 'now'>): Mailer {
  const { config, db } = deps;
  const { masterKey, publicUrl, mail: settings } = config;
  const service = 'Counterfoil Licensing';
  const mailer = createMailer({ settings, masterKey, now: deps.now, service, publicUrl });
  const dispatcher = deps.sendsWebhooks ? startMailDispatcher({ ...deps, mailer, settings }) : undefined;
  app.addHook('onClose', async () => await dispatcher?.stop());
  if (settings.mode === 'mailbox') registerMailbox(app, { db, mailer, errors });
  return mailer;
}

/**
 * Registers the webhook routes of the panel, and starts the dispatcher if this process sends webhooks. When
 * the service stops, it waits for running deliveries.
 */
function openWebhooks(app: App, deps: Parts): void {
  const { config, sendsWebhooks = false } = deps;
  const { masterKey, webhooks: settings } = config;
  const guard = createAddressGuard(settings);
  const sender = createSender(guard);
  registerWebhookPanelRoutes(app, { ...deps, masterKey, guard, sender });
  const dispatcher = sendsWebhooks
    ? startWebhookDispatcher({ ...deps, masterKey, settings, sender })
    : undefined;
  app.addHook('onClose', async () => {
    await dispatcher?.stop();
    await sender.close();
  });
}

/** Records usage. When the service stops, the usage is flushed after the last answer. */
function openUsageSink(app: App, options: UsageRecorderOptions): UsageSink {
  const recorder = createUsageRecorder(options);
  app.addHook('onClose', () => recorder.close());
  return recorder.sink;
}
