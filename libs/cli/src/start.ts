// `npm start`: runs PostgreSQL, both services and the stand-in provider in the foreground on one machine.
import { fileURLToPath } from 'node:url';
import {
  DataDirInUseError,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@counterfoil/embedded-postgres/start';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { runMain } from '@counterfoil/kit/process/run-main';
import { describeDemo, type Hellos, handOverConnections, writeCredentials } from './credentials.ts';
import { ensureMasterKeyFile, ensureTokenFile, writePrivateFile } from './private-files.ts';
import { startService } from './service-process.ts';
import { readStartSettings, type StartSettings } from './settings.ts';
import { say, step } from './terminal.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** How long a start waits until an earlier `npm start` that was killed has released the data folder. */
const leaveWithinMs = deadlineMs(1750);

/** Started processes, oldest first. They are stopped in reverse order. */
const running: { stop(): Promise<void> }[] = [];
let stopping: Promise<void> | undefined;

function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const each of running.splice(0).reverse()) await each.stop().catch(() => {});
  })();
  return stopping;
}

runMain(async () => {
  const args = process.argv.slice(2);
  const watch = args.includes('--watch');
  const settings = readStartSettings(
    process.env,
    args.filter((arg) => arg !== '--watch'),
  );
  const leave = (exitCode: number) => {
    if (!stopping) say('\nStopping …');
    void stopAll().then(() => process.exit(exitCode));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(0));

  say('Counterfoil is starting.');
  try {
    const hellos = await startAll(settings, watch);
    if (stopping) return;
    await writeCredentials(settings, hellos);
    // A failure here is only reported, because everything else works without the demo connections. The
    // connections can also be entered on the page /control of the stand-in provider.
    await handOverConnections(settings, hellos).catch((error: Error) => {
      say(`  The stand-in provider did not accept the demo connections: ${error.message}`);
    });
    say(`\nCounterfoil is running; Ctrl-C stops it.\n\n${describeDemo(settings, hellos)}\n`);
  } catch (error) {
    if (stopping) return;
    await stopAll();
    throw error;
  }
});

/** Starts everything. With `watch`, a service restarts when one of its loaded compiled files changes. */
async function startAll(settings: StartSettings, watch: boolean): Promise<Hellos> {
  const urls = await openDatabases(settings);
  const masterKeyFile = settings.hasMasterKey ? undefined : await ensureMasterKeyFile(settings.dataDir);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    DEMO: 'on',
    PROCESSES: String(settings.processes),
    LICENSING_DATABASE_URL: urls.licensing,
    WALLET_DATABASE_URL: urls.wallet,
    FILES_DIR: process.env.FILES_DIR || `${settings.dataDir}/files`,
    ...(masterKeyFile !== undefined && { MASTER_KEY_FILE: masterKeyFile }),
    ...(await describeProvider(settings)),
  };
  const built = watch ? 'dist' : 'dist/bundle';
  const start = (name: string, file: string) =>
    step(`${name} service`, async () => {
      const service = await startService({ name, file: fileOf(file), env, watch });
      running.push(service);
      return service;
    });
  const [licensing, wallet, provider] = await settleAll([
    start('licensing', `services/licensing/server/${built}/main.js`),
    start('wallet', `services/wallet/server/${built}/main.js`),
    start('provider', 'services/provider/dist/main.js'),
  ]);
  return { licensing: licensing?.hello, wallet: wallet?.hello, provider: provider?.hello };
}

/**
 * Returns the settings of the stand-in provider. The wallet and the stand-in provider share a token, so this
 * function creates the token before they start.
 */
async function describeProvider(settings: StartSettings): Promise<NodeJS.ProcessEnv> {
  const { dataDir, addresses, hasApiToken, hasControlToken } = settings;
  const { env } = process;
  return {
    PROVIDER_DATA_DIR: env.PROVIDER_DATA_DIR || `${dataDir}/provider`,
    PROVIDER_PRIVATE_URL: env.PROVIDER_PRIVATE_URL || `${addresses.provider}/private`,
    PROVIDER_PUBLIC_URL: env.PROVIDER_PUBLIC_URL || `${addresses.provider}/public`,
    ...(!hasApiToken && { PROVIDER_API_TOKEN_FILE: await ensureTokenFile(dataDir, 'provider-api') }),
    ...(!hasControlToken && {
      PROVIDER_CONTROL_TOKEN_FILE: await ensureTokenFile(dataDir, 'provider-control'),
    }),
  };
}

/**
 * Waits until all promises have settled, and only then throws the failures. Otherwise a service could still
 * start after a failure had stopped the others.
 */
async function settleAll<T>(promises: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  const failures = results.filter((result) => result.status === 'rejected');
  if (failures.length > 0) {
    const reasons = failures.map((failure) => (failure.reason as Error).message);
    throw new PlainError([...new Set(reasons)].join('\n'));
  }
  return results.map((result) => (result as PromiseFulfilledResult<T>).value);
}

async function openDatabases(settings: StartSettings): Promise<{ licensing: string; wallet: string }> {
  const { licensing, wallet } = settings.databaseUrls;
  if (licensing !== undefined && wallet !== undefined) return { licensing, wallet };
  const postgres = await step('PostgreSQL', () => startDatabase(settings));
  const urls = {
    licensing: licensing ?? postgres.url('licensing'),
    wallet: wallet ?? postgres.url('wallet'),
  };
  // Commands of the services find the running database through this file.
  await writePrivateFile(`${settings.dataDir}/runtime.json`, JSON.stringify(urls, null, 2));
  return urls;
}

async function startDatabase(settings: StartSettings): Promise<EmbeddedPostgres> {
  let postgres = await waitForFolder(settings);
  const watch = () =>
    postgres.onExit(async (code) => {
      if (stopping) return;
      say(`PostgreSQL ended (status ${code}); starting it again …`);
      try {
        await postgres.stop();
        postgres = await waitForFolder(settings);
      } catch (error) {
        say(`PostgreSQL did not start again: ${(error as Error).message}`);
        await stopAll();
        process.exit(1);
      }
      say('PostgreSQL is back.');
      watch();
    });
  watch();
  running.push({ stop: () => postgres.stop() });
  for (const name of ['licensing', 'wallet']) await postgres.ensureDatabase(name);
  return postgres;
}

async function waitForFolder(settings: StartSettings): Promise<EmbeddedPostgres> {
  const giveUpAt = performance.now() + leaveWithinMs;
  for (;;) {
    try {
      return await startEmbeddedPostgres({
        dataDir: settings.dataDir,
        settings: { max_connections: String(settings.maxConnections) },
        onProgress: (message) => say(`  … ${message}`),
      });
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || performance.now() >= giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
