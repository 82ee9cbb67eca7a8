// The licensing service's table of contents: what it serves, and on what that stands.
import { fileURLToPath } from 'node:url';
import { registerSignInRoutes } from '@counterfoil/identity/routes';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import { type App, buildApp } from '@counterfoil/kit/http/app';
import { serveOpenApi } from '@counterfoil/kit/http/openapi/openapi';
import { servePanel } from '@counterfoil/kit/http/serve-panel';
import { createThrottle } from '@counterfoil/kit/http/throttle';
import { openQuickDoor } from '@counterfoil/kit/http/transport/fast-path';
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
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { type AccessPolicy, createKeyPolicy, createPanelPolicy } from './access-policy.ts';
import { registerAccountManagement } from './accounts/management-routes.ts';
import { registerAccountPanelRoutes } from './accounts/panel-routes.ts';
import { registerAccountRoutes } from './accounts/routes.ts';
import { registerActivationManagement } from './activations/management-routes.ts';
import { registerActivationRoutes } from './activations/routes.ts';
import { createAuthenticate, decorateRequests, securitySchemes } from './api-keys/authenticate.ts';
import type { KeyPanelDeps } from './api-keys/panel-key-routes.ts';
import { registerApiKeyPanelRoutes } from './api-keys/panel-routes.ts';
import { softenRefusal } from './api-keys/soften-refusal.ts';
import { registerAuditPanelRoutes } from './audit/panel-routes.ts';
import type { Config } from './config.ts';
import { registerDemoMedia } from './demo-media/routes.ts';
import { registerDownloadLinks } from './downloads/management-routes.ts';
import { registerDownloadRoutes } from './downloads/routes.ts';
import { errors, fail } from './errors.ts';
import { registerFileUpload } from './items/management/file-routes.ts';
import { registerItemManagement } from './items/management/management-routes.ts';
import { registerItemRoutes } from './items/routes.ts';
import { type LookUps, openLookUps } from './look-ups.ts';
import { openToPages } from './open-to-pages.ts';
import { registerOverviewPanelRoutes } from './overview/panel-routes.ts';
import { registerPeoplePanelRoutes } from './people/panel-routes.ts';
import { createCodeHasher } from './purchases/code.ts';
import { countCodes } from './purchases/count-codes.ts';
import { registerPurchaseExport } from './purchases/import/panel-export-routes.ts';
import { registerPurchaseImport } from './purchases/import/panel-import-routes.ts';
import { registerPurchaseCorrections } from './purchases/management/correction-routes.ts';
import { registerBuyerErasure } from './purchases/management/erasure-routes.ts';
import { registerPurchaseManagement } from './purchases/management/management-routes.ts';
import { quickValidation } from './purchases/validation/fast-validation.ts';
import { registerCodeCheck } from './purchases/validation/panel-check-routes.ts';
import { registerPurchaseRoutes } from './purchases/validation/routes.ts';
import { reference } from './reference/reference.ts';
import { registerRequestLogPanelRoutes } from './request-log/panel-routes.ts';
import type { WaitForSlowCode } from './sandbox/play-test-code.ts';
import { describeTestCodes } from './sandbox/test-data.ts';
import { createLicensingSignIn } from './sign-in.ts';
import { registerUsagePanelRoutes } from './usage/panel-routes.ts';
import { createUsageRecorder, type UsageRecorder } from './usage/record-usage.ts';
import { reportRequests } from './usage/report-requests.ts';
import type { UsageSink } from './usage/usage-sink.ts';
import { documentedEvents } from './webhooks/event-schemas.ts';
import { registerWebhookPanelRoutes } from './webhooks/panel-routes.ts';
import { startWebhookDispatcher } from './webhooks/webhooks.ts';
import { registerWorkspacePanelRoutes } from './workspaces/panel-routes.ts';

/** Beside the server, built by `npm run build`. */
const panelDist = fileURLToPath(new URL('../../panel/dist', import.meta.url));

export { migrationFolders } from './migration-folders.ts';

/** Per purchase: an honest one takes a place and leaves it a few times in its life. */
const activationChangesPerMinute = 30;

export interface LicensingDeps {
  readonly config: Config;
  readonly db: Db;
  readonly logger: Logger;
  readonly migrations: readonly Migration[];
  readonly readiness: Readiness;
  readonly now?: () => Date;
  /** The clock by which answers in memory age; it is never set back. */
  readonly monotonicMs?: () => number;
  readonly usage?: UsageSink;
  /** How often the usage in memory is written to the database. */
  readonly flushEveryMs?: number;
  readonly waitForSlowCode?: WaitForSlowCode;
  /** Another way to look things up, for measuring ours against it. */
  readonly lookUps?: LookUps;
  /** Whether this process sends webhooks; a test starts a sender of its own. */
  readonly relays?: boolean;
}

export async function buildLicensingApp(deps: LicensingDeps): Promise<App> {
  const { config, db, logger, now = () => new Date() } = deps;
  const app = buildApp({
    errors,
    logger,
    trustProxy: config.trustProxy,
    answerAs: softenRefusal,
  });
  const registry = createMetrics('licensing');
  const durations = measureRequests(app, registry);

  const lookUps = deps.lookUps ?? (await openLookUps(deps));
  app.addHook('onClose', () => lookUps.close());
  const throttle = (perMinute: number) => createThrottle({ perMinute, now: () => now().getTime() });
  decorateRequests(app);
  // Plug-ins on buyers' sites call the excepted routes, and may send more fields than are read.
  const except = ['/api/v1/activations', '/api/v1/activations/release'];
  refuseUnknownFields(app, { below: ['/panel/', '/api/v1/'], except, query: ['api_key'], fail });
  const authenticate = createAuthenticate({
    finder: lookUps.apiKeys,
    throttle: throttle(config.authFailuresPerMinute),
    now,
  });
  const usage = deps.usage ?? openUsageRecorder(app, { ...deps, registry, now }).sink;
  const ownOrigin = new URL(config.publicUrl).origin;
  reportRequests(app, { usage, registry, ownOrigin, now });

  const signIn = createLicensingSignIn(db, config, now);

  await serveOpenApi(app, {
    title: 'Counterfoil Licensing',
    description:
      'Look up your account and items, and check whether a purchase code is valid. With a test ' +
      `key (\`ck_test_…\`) there is a code for every answer. ${describeTestCodes}`,
    serverUrl: config.publicUrl,
    tags: [
      { name: 'Account', description: 'The seller who owns the key.' },
      { name: 'Items', description: 'What the seller has published.' },
      { name: 'Purchases', description: 'Whether a purchase code is valid.' },
      { name: 'Activations', description: 'On which hosts and machines a code is in use.' },
      { name: 'Items (management)', description: 'Items get in: by a key with items:write.' },
      {
        name: 'Purchases (management)',
        description: 'Sales get in: by a key with purchases:write.',
      },
      { name: 'Downloads', description: 'For buyers, by their link.' },
      { name: 'Webhooks', description: 'What the service posts to your endpoints.' },
      { name: 'Panel', description: 'For the web panel, by session.' },
      { name: 'Operations', description: 'For whoever runs the service.' },
    ],
    securitySchemes: {
      ...securitySchemes,
      session: { type: 'apiKey', in: 'cookie', name: signIn.cookieName },
    },
    events: documentedEvents,
    reference,
  });
  openToPages(app);
  serveHealth(app, 'licensing');
  serveReadiness(app, { ...deps, url: config.databaseUrl, service: 'licensing', errors });
  serveMetrics(app, {
    registry,
    errors,
    token: config.metricsToken,
    production: config.production,
  });
  // The panel may be open under another name than the public one, and http is not let in by itself.
  const mediaSources = config.demo ? [ownOrigin] : [];
  servePanel(app, { dist: panelDist, errors, mediaSources });
  if (config.demo) registerDemoMedia(app);
  registerSignInRoutes(app, signIn);
  registerPanel(app, {
    db,
    signIn,
    masterKey: config.masterKey,
    importThrottle: throttle(config.authFailuresPerMinute),
    now,
  });
  const panelDeps = { ...config, db, signIn, now };
  registerCodeCheck(app, { ...panelDeps, sellers: lookUps.sellers, find: lookUps.purchases });
  registerPurchaseImport(app, panelDeps);
  openWebhooks(app, { ...deps, ...panelDeps, registry });
  const reports = createReportReader({ ...config, db, logger, registry });
  app.addHook('onClose', () => reports.close());
  registerPurchaseExport(app, { ...panelDeps, reports });
  registerAccountRoutes(app, { db, authenticate });
  registerItemRoutes(app, { db, authenticate, itemLister: lookUps.items });
  const validation = {
    find: lookUps.purchases,
    hashCode: createCodeHasher(config.masterKey),
    masterKey: config.masterKey,
    wrongCodes: {
      secret: throttle(config.wrongCodesPerMinute.secret),
      publishable: throttle(config.wrongCodesPerMinute.publishable),
    },
    usage,
    now,
    sellers: lookUps.sellers,
  };
  openQuickDoor(
    app,
    { errors, logger, durations, trustProxy: config.trustProxy },
    quickValidation({ ...validation, apiKeys: lookUps.apiKeys }),
  );
  const { waitForSlowCode } = deps;
  registerPurchaseRoutes(app, { ...validation, authenticate, waitForSlowCode });
  const changes = throttle(activationChangesPerMinute);
  registerActivationRoutes(app, { ...validation, db, authenticate, changes });
  const policies = [createKeyPolicy(authenticate), createPanelPolicy(signIn)];
  await registerManagement(app, policies, { ...config, db, now, logger });
  return app;
}

/** Items and purchases get in and out: the same verbs by key and by session. */
async function registerManagement(
  app: App,
  policies: readonly AccessPolicy[],
  deps: Config & { db: Db; now: () => Date; logger: Logger },
): Promise<void> {
  for (const policy of policies) {
    registerAccountManagement(app, policy, deps);
    registerItemManagement(app, policy, { ...deps, countCodes });
    registerPurchaseManagement(app, policy, deps);
    registerPurchaseCorrections(app, policy, deps);
    registerBuyerErasure(app, policy, deps);
    registerActivationManagement(app, policy, deps);
    registerDownloadLinks(app, policy, deps);
  }
  await registerFileUpload(app, policies, deps);
  registerDownloadRoutes(app, {
    ...deps,
    onLost: (error) => deps.logger.error({ err: error }, 'a completed download was not noted'),
  });
}

/** What people do by session, each in the workspaces they are members of. */
function registerPanel(app: App, deps: KeyPanelDeps): void {
  registerWorkspacePanelRoutes(app, deps);
  registerPeoplePanelRoutes(app, deps);
  registerAccountPanelRoutes(app, deps);
  registerApiKeyPanelRoutes(app, deps);
  registerAuditPanelRoutes(app, deps);
  registerRequestLogPanelRoutes(app, deps);
  registerUsagePanelRoutes(app, deps);
  registerOverviewPanelRoutes(app, deps);
}

/** Sent by this process too where it is told to; a turn under way ends before the service does. */
function openWebhooks(
  app: App,
  deps: LicensingDeps & { registry: Metrics; signIn: SignIn; now: () => Date },
): void {
  const { config, relays = false } = deps;
  const { masterKey, webhooks: settings } = config;
  const guard = createAddressGuard(settings);
  const sender = createSender(guard);
  registerWebhookPanelRoutes(app, { ...deps, masterKey, guard, sender });
  const relay = relays
    ? startWebhookDispatcher({ ...deps, masterKey, settings, sender })
    : undefined;
  app.addHook('onClose', async () => {
    await relay?.stop();
    await sender.close();
  });
}

/** Flushed when the service leaves, after its last answer. */
function openUsageRecorder(
  app: App,
  deps: LicensingDeps & { registry: Metrics; now: () => Date },
): UsageRecorder {
  const { requestLogDays } = deps.config;
  const recorder = createUsageRecorder({ ...deps, requestLogDays });
  app.addHook('onClose', () => recorder.close());
  return recorder;
}
