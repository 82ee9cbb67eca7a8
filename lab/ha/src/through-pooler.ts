// `npm run ha -- pooler`: runs the core tests through PgBouncer in transaction mode and HAProxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import { fillTemplate } from './fill-template.ts';
import { findPrograms } from './programs.ts';
import { findFreePorts, type TestEnvironment } from './test-environment.ts';
import { rootFolder } from './wallet-service.ts';

const host = '127.0.0.1';

/** The tests that run through the pooler: money, keys, sign-in, background work and several processes. */
const coreTests = [
  'libs/kit/src/postgres/migrate.test.ts',
  'libs/kit/src/postgres/partitions.test.ts',
  'libs/identity/src/passwords/guessing.test.ts',
  'libs/identity/src/sessions/sessions.test.ts',
  'services/licensing/server/test/accounts/account-details.test.ts',
  'services/licensing/server/test/purchases/import-at-once.test.ts',
  'services/licensing/server/test/api-keys/panel-api-keys.test.ts',
  'services/licensing/server/test/purchases/purchase-validation.test.ts',
  'services/wallet/server/test/callbacks/callback.test.ts',
  'services/wallet/server/test/ledger/ledger-games.test.ts',
  'services/wallet/server/test/ledger/ledger-histories.test.ts',
  'services/wallet/server/test/ledger/ledger-once.test.ts',
  'services/wallet/server/test/ledger/many-processes.test.ts',
  'services/wallet/server/test/proof/proof.test.ts',
  'services/wallet/server/test/packages/registrations.test.ts',
  'services/wallet/server/test/rounds/rounds.test.ts',
  'services/wallet/server/test/transactions/update-balance.test.ts',
  'services/wallet/server/test/players/user-balance.test.ts',
];

export async function runThroughPooler(
  environment: TestEnvironment,
  options: { files: readonly string[]; say: (line: string) => void },
): Promise<boolean> {
  const programs = findPrograms(['haproxy', 'pgbouncer']);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(environment.folder, 'data'),
    settings: { max_connections: '300' },
  });
  environment.later(() => postgres.stop());
  const direct = new URL(postgres.url('postgres'));
  const [proxyPort = 0, poolerPort = 0] = await findFreePorts(2);
  const haproxy = await environment.write('haproxy.cfg', describeProxy(proxyPort, Number(direct.port)));
  environment.start({
    name: 'haproxy',
    file: programs.haproxy,
    args: ['-f', haproxy],
    asUser: true,
  });
  const password = decodeURIComponent(direct.password);
  await environment.write('userlist.txt', `"${direct.username}" "${password}"\n`);
  const filled = await fillTemplate('pgbouncer.ini', {
    PROXY_HOST: host,
    LEADER_PORT: proxyPort,
    RUN_DIR: environment.folder,
    POOLER_HOST: host,
    POOLER_PORT: poolerPort,
  });
  // Every test file has its own database, and the pooler has one pool per database. Small pools that release
  // idle connections early keep the number of connections low.
  const small = filled
    .replace(/^default_pool_size.*$/m, 'default_pool_size = 6')
    .replace(/^server_idle_timeout.*$/m, 'server_idle_timeout = 5')
    .replace(/^query_wait_timeout.*$/m, 'query_wait_timeout = 20');
  const pooler = await environment.write('pgbouncer.ini', small);
  environment.start({ name: 'pgbouncer', file: programs.pgbouncer, args: [pooler], asUser: true });
  const pooled = new URL(direct.href);
  pooled.port = String(poolerPort);
  options.say(`PostgreSQL ← HAProxy :${proxyPort} ← PgBouncer :${poolerPort} ← tests`);
  return runTests(environment, options.files.length > 0 ? options.files : coreTests, {
    TEST_DATABASE_URL: direct.href,
    TEST_POOLER_URL: pooled.href,
  });
}

const describeProxy = (port: number, postgresPort: number) => `defaults
    mode tcp
    timeout connect 2s
    timeout client 30m
    timeout server 30m
listen postgres
    bind ${host}:${port}
    server postgres ${host}:${postgresPort} check
`;

export async function runTests(
  environment: TestEnvironment,
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const vitest = join(rootFolder, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...files], {
    cwd: rootFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  environment.later(async () => void child.kill());
  const [code] = await once(child, 'exit');
  return code === 0;
}
