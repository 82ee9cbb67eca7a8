// Runs the licensing service as a process.
import { findDemoCredentials } from '@counterfoil/kit/demo-mark';
import { createLogger } from '@counterfoil/kit/logging';
import { readMigrations } from '@counterfoil/kit/migrate';
import { prepareDatabase } from '@counterfoil/kit/prepare-database';
import { runProcesses } from '@counterfoil/kit/run-processes';
import { serve } from '@counterfoil/kit/serve';
import { buildLicensingApp, migrationFolders } from './app.ts';
import { readLicensingConfig } from './config.ts';
import { sweepDrafts } from './files/kept-file.ts';
import { seedDemo } from './seed.ts';

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
  const app = await buildLicensingApp({
    ...{ config, db, logger, migrations, readiness, relays: true },
  });
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
