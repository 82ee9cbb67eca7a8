// The licensing service without caches, for comparison. Every look-up is one query. With LOOK_UPS=cached,
// keys and sellers are cached, so that each request needs exactly one query.
import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { openDb } from '@counterfoil/kit/postgres/db';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { serve } from '@counterfoil/kit/process/serve';
import { buildLicensingApp, migrationFolders } from '@counterfoil/licensing-server/app';
import { readLicensingConfig } from '@counterfoil/licensing-server/config';
import { openLookups } from '@counterfoil/licensing-server/lookups';
import { findApiKeyPlainly, findPurchasePlainly, findSellerPlainly } from './plain-look-ups.ts';

const config = readLicensingConfig(process.env);
const logger = createLogger({ service: 'licensing', level: config.logLevel });
const db = openDb({
  url: config.databaseUrl,
  applicationName: 'bench one query',
  maxConnections: config.databaseConnections,
});
const ours = await openLookups({ db, config, logger });
const plain = {
  apiKeys: {
    peek: () => undefined,
    find: (secret: string) => findApiKeyPlainly(db, hashSecret(config.masterKey, secret)),
    close: async () => {},
  },
  sellers: {
    peek: () => undefined,
    get: (workspaceId: bigint) => findSellerPlainly(db, workspaceId),
  },
};
const app = await buildLicensingApp({
  config,
  db,
  logger,
  migrations: await readMigrations(migrationFolders),
  readiness: { draining: false },
  lookups: {
    ...ours,
    ...(process.env.LOOK_UPS === 'cached' ? {} : plain),
    purchases: (workspaceId, codeHash) => findPurchasePlainly(db, workspaceId, codeHash),
  },
});
await serve({ app, host: config.host, port: config.port, logger, onClosed: () => db.end() });
