// Runs the wallet service as a process.

import { createLogger } from '@counterfoil/kit/observability/logging';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { prepareDatabase } from '@counterfoil/kit/postgres/prepare-database';
import { findProcessPlace, runProcesses } from '@counterfoil/kit/process/run-processes';
import { serve } from '@counterfoil/kit/process/serve';
import { buildWalletApp, migrationFolders } from './app.ts';
import { readWalletConfig } from './config.ts';
import { createLedger } from './ledger/engine/ledger.ts';
import { openHandoverLedger } from './ledger/handover/handover-ledger.ts';
import { openLedgerDb } from './ledger/open-ledger-db.ts';
import { startRegistrar } from './packages/registration/registrar.ts';
import { writeCallbackUrl } from './packages/registration/registration.ts';
import { readDemoCredentials } from './seed/demo-connections.ts';
import { seedDemo } from './seed/seed.ts';
import { createHttpUpstream } from './upstream/http-upstream.ts';

runProcesses(async () => {
  const config = readWalletConfig(process.env);
  const logger = createLogger({ service: 'wallet', level: config.logLevel });
  const migrations = await readMigrations(migrationFolders);
  const { databaseUrl: url, onePackagePerBatch, maxPlayersInMemory: maxAccounts } = config;
  const db = await prepareDatabase({
    ...config,
    url,
    applicationName: 'counterfoil wallet',
    maxConnections: config.databaseConnections,
    migrations,
    logger,
  });
  if (config.demo) await seedDemo(db, config.masterKey);
  const ledgerDb = openLedgerDb({ url, logger, onePackage: onePackagePerBatch });
  // Opens a connection while the rest of the service is built. A failure is ignored here, because the first
  // batch reports it.
  ledgerDb.query('select 1').catch(() => {});
  const own = createLedger({ db: ledgerDb, onePackagePerBatch, maxAccounts });
  const place = config.handsOrdersOver ? findProcessPlace(process.env) : undefined;
  const handover =
    place &&
    (await openHandoverLedger({ ...place, own }).catch((error: unknown) => {
      // For example, a program that cleans up the folder of temporary files has removed the sockets' folder.
      logger.warn({ err: error }, 'this process hands no orders over: its socket could not be opened');
      return undefined;
    }));
  const ledger = handover ?? own;
  const upstream = createHttpUpstream(config.upstream);
  const readiness = { draining: false };
  const app = await buildWalletApp({
    config,
    db,
    ledger,
    countHandedOver: handover?.countHandedOver,
    logger,
    migrations,
    readiness,
    upstream,
    sendsWebhooks: true,
    readsAhead: true,
  });
  const callbackUrl = writeCallbackUrl(config.publicUrl);
  const now = () => new Date();
  const registrar = await startRegistrar({ ...config, db, upstream, callbackUrl, logger, now });
  await serve({
    ...config,
    app,
    logger,
    onDrain: () => {
      readiness.draining = true;
    },
    onClosed: async () => {
      await registrar.stop();
      await upstream.close();
      await handover?.close();
      await ledgerDb.end();
      await db.end();
    },
    ...(config.demo && { hello: await readDemoCredentials(db, config.masterKey, config.publicUrl) }),
  });
});
