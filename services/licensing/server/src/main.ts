// Runs the licensing service as a process.
import { createLogger } from '@counterfoil/kit/observability/logging';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { prepareDatabase } from '@counterfoil/kit/postgres/prepare-database';
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { runProcesses } from '@counterfoil/kit/process/run-processes';
import { serve } from '@counterfoil/kit/process/serve';
import { buildLicensingApp, migrationFolders } from './app.ts';
import { readLicensingConfig } from './config.ts';
import { seedDemo } from './demo/seed.ts';
import { sweepDrafts } from './files/stored-file.ts';

runProcesses(async () => {
  const config = readLicensingConfig(process.env);
  const logger = createLogger({ service: 'licensing', level: config.logLevel });
  const migrations = await readMigrations(migrationFolders);
  const db = await prepareDatabase({
    url: config.databaseUrl,
    directUrl: config.directUrl,
    applicationName: 'counterfoil licensing',
    maxConnections: config.databaseConnections,
    migrations,
    production: config.production,
    masterKey: config.masterKey,
    logger,
  });
  if (config.demo) await seedDemo(db, config);
  const swept = await sweepDrafts(config.filesDir, new Date());
  if (swept > 0) logger.info({ files: swept }, 'removed uploads that were never finished');
  const readiness = { draining: false };
  const given = { config, db, logger, migrations, readiness };
  const app = await buildLicensingApp({ ...given, sendsWebhooks: true });
  await serve({
    app,
    host: config.host,
    port: config.port,
    logger,
    drainMs: config.drainMs,
    noticeMs: config.noticeMs,
    onDrain: () => {
      readiness.draining = true;
    },
    onClosed: () => db.end(),
    ...(config.demo && { hello: await findDemoCredentials(db, config.masterKey) }),
  });
});
