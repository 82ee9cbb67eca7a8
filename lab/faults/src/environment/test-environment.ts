// The environment of one fault: a new PostgreSQL with fsync on, wallet processes, and callers with a log.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { migrate, readMigrations } from '@counterfoil/kit/postgres/migrate';
import { migrationFolders } from '@counterfoil/wallet-server/app';
import type { Random } from '../random.ts';
import { findFreePort } from './machine.ts';
import { type PostgresProcess, startPostgresProcess } from './postgres.ts';
import { prepareService, type Service, type ServiceOptions } from './service.ts';
import { openTestRun, type TestRun, type TestRunOptions } from './test-run.ts';

export interface EnvironmentOptions {
  /** Settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The data folder of PostgreSQL; by default a new temporary folder. */
  readonly dataDir?: string;
  /** Number of wallet processes when the fault begins. */
  readonly services?: number;
  readonly service?: Partial<ServiceOptions>;
}

export interface EnvironmentSettings {
  readonly random: Random;
  readonly quick: boolean;
  readonly say: (line: string) => void;
}

export interface TestEnvironment extends EnvironmentSettings {
  /** A temporary folder that is removed at the end. */
  readonly folder: string;
  readonly postgres: PostgresProcess;
  /** Connects directly to the wallet's database, without a proxy. */
  readonly db: Db;
  readonly databaseUrl: () => string;
  readonly masterKey: string;
  readonly services: Service[];
  /** Returns `full` in a full run and `quick` in a quick run. */
  size(full: number, quick: number): number;
  /** Starts another wallet process. The given options override the options of the environment. */
  addService(options?: Partial<ServiceOptions>): Promise<Service>;
  /** Creates a package with funded players and a log. The services must be running. */
  openTestRun(options?: TestRunOptions): Promise<TestRun>;
  /** Registers a function that `close` calls. The function that was registered last is called first. */
  onClose(end: () => Promise<void> | void): void;
  close(): Promise<void>;
}

const database = 'wallet';

export async function openTestEnvironment(
  setting: EnvironmentSettings,
  options: EnvironmentOptions = {},
): Promise<TestEnvironment> {
  const endings: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) {
      // If one of these functions fails, the loop continues, so that the others are called too.
      await Promise.resolve()
        .then(end)
        .catch((error: unknown) => setting.say(`while closing the environment: ${error}`));
    }
  };
  try {
    return await startTestEnvironment(setting, options, { endings, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function startTestEnvironment(
  setting: EnvironmentSettings,
  options: EnvironmentOptions,
  { endings, close }: { endings: (() => Promise<void> | void)[]; close: TestEnvironment['close'] },
): Promise<TestEnvironment> {
  // Keeps this process running between a kill and a restart, when no handle is open.
  const awake = setInterval(() => {}, 60_000);
  endings.push(() => clearInterval(awake));
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-faults-'));
  endings.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // If this process runs as root, PostgreSQL runs as another user, who must be able to enter this folder.
  await chmod(folder, 0o755);
  const postgres = await startPostgres(options.dataDir ?? folder, options.settings ?? {});
  endings.push(() => postgres.stop());
  await postgres.ensureDatabase(database);
  const databaseUrl = () => postgres.url(database);
  await migrate({ url: databaseUrl(), migrations: await readMigrations(migrationFolders) });
  const db = openDb({
    url: databaseUrl(),
    applicationName: 'faults',
    queryTimeoutMs: 120_000,
    maxConnections: 4,
  });
  endings.push(() => db.end());
  const masterKey = randomBytes(32).toString('base64');
  const services: Service[] = [];
  const environment: TestEnvironment = {
    ...setting,
    folder,
    postgres,
    db,
    databaseUrl,
    masterKey,
    services,
    close,
    size: (full, quick) => (setting.quick ? quick : full),
    addService: async (own = {}) => {
      const given = { databaseUrl: databaseUrl(), masterKey, ...options.service, ...own };
      const service = await prepareService(given);
      endings.push(async () => void (await service.end()));
      await service.start();
      services.push(service);
      return service;
    },
    openTestRun: async (wanted) => {
      const testRun = await openTestRun(environment, wanted);
      endings.push(() => testRun.close());
      return testRun;
    },
    onClose: (end) => endings.push(end),
  };
  for (let i = 0; i < (options.services ?? 1); i++) await environment.addService();
  return environment;
}

async function startPostgres(dataDir: string, settings: Readonly<Record<string, string>>) {
  // Writes a port to the file that the launcher reads, so that PostgreSQL has the same port after a restart.
  await writeFile(join(dataDir, 'postgres-port'), `${await findFreePort()}\n`);
  return startPostgresProcess({ dataDir, settings: { max_connections: '60', ...settings } });
}

export function firstService({ services }: TestEnvironment): Service {
  const [service] = services;
  if (!service) throw new Error('the environment has no service');
  return service;
}
