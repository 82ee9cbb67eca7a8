// `npm run ha -- upgrade`: a rolling upgrade with a migration under load, during which both versions serve.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import { openDb } from '@counterfoil/kit/postgres/db';
import { productionAddresses } from '@counterfoil/kit/testing/production-addresses';
import { makeBooks } from './books.ts';
import { checkSettled, describeVerdict, findOtherAnswers, isClean } from './check-settled.ts';
import { type Load, startLoad } from './load.ts';
import { findFreePorts, type TestEnvironment } from './test-environment.ts';
import { checkOut, copyWithMigration, findLastRelease } from './version-tree.ts';
import { rootFolder, startWallet, type WalletService } from './wallet-service.ts';

export interface UpgradeOptions {
  /**
   * The commit or tag to upgrade from; by default the last release, or this version if there is no release.
   */
  readonly from: string | undefined;
  readonly callers: number;
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** The number of recent orders that are sent again to each version, with the same ids. */
const sampleSize = 200;

export async function runUpgrade(environment: TestEnvironment, options: UpgradeOptions): Promise<boolean> {
  const { say, seconds } = options;
  const { before, after } = await chooseVersions(environment, options);
  const postgres = await startEmbeddedPostgres({ dataDir: join(environment.folder, 'data') });
  environment.later(() => postgres.stop());
  await postgres.ensureDatabase('wallet');
  const url = postgres.url('wallet');
  const masterKey = randomBytes(32).toString('base64');
  const env = {
    NODE_ENV: 'production',
    WALLET_DATABASE_URL: url,
    MASTER_KEY: masterKey,
    ...productionAddresses,
    LEAVE_NOTICE_SECONDS: '1',
  };
  const ports = await findFreePorts(4);
  const start = (name: string, tree: string) =>
    startWallet(environment, { name, port: ports.shift() ?? 0, env, tree });

  const old = [await start('before1', before), await start('before2', before)];
  const books = await makeBooks(url, masterKey);
  const load = startLoad({ books, addresses: addressesOf(old), callers: options.callers });
  await sleep(seconds * 1000);
  const appliedBefore = await listMigrations(url);

  const first = await start('after1', after);
  const migrations = (await listMigrations(url)).filter((name) => !appliedBefore.includes(name));
  say(`  the new version runs; migrations under load: ${migrations.join(', ') || 'none'}`);
  load.moveTo(addressesOf([...old, first]));
  await sleep(seconds * 1000);
  const different = await compareVersions(load, { old, first });
  await replace(load, { leaving: old[0], staying: [old[1], first] });
  const second = await start('after2', after);
  load.moveTo(addressesOf([old[1], first, second]));
  await replace(load, { leaving: old[1], staying: [first, second] });
  say('  the old version has stopped');
  await sleep(seconds * 1000);
  await load.stop();

  const verdict = await checkSettled(url, books, load);
  const failed = load.settled.filter(({ answer }) => !isOrdinary(answer));
  say(
    [
      '',
      `A rolling upgrade under the load of ${options.callers} callers:`,
      describeVerdict(verdict),
      `  failed money calls  ${failed.length}`,
      `  repeated            ${load.counts.retries} times`,
      `  other answers       ${different.length} of ${2 * sampleSize} repeated ids`,
      ...different.slice(0, 5).map((line) => `    ${line}`),
    ].join('\n'),
  );
  return isClean(verdict) && failed.length === 0 && different.length === 0;
}

const addressesOf = (services: readonly (WalletService | undefined)[]): string[] =>
  services.flatMap((service) => service?.address ?? []);

const isOrdinary = ({ status, code }: { status: number; code: string | undefined }): boolean =>
  status === 200 || code === 'insufficient_funds';

async function chooseVersions(
  environment: TestEnvironment,
  { from, say }: UpgradeOptions,
): Promise<{ before: string; after: string }> {
  const ref = from ?? (await findLastRelease());
  if (ref === undefined) {
    say('There is no earlier release. This run upgrades this version to a copy with one more migration.');
    return { before: rootFolder, after: await copyWithMigration(environment) };
  }
  say(`This run upgrades from ${ref} to this version.`);
  return { before: await checkOut(environment, ref), after: rootFolder };
}

async function listMigrations(url: string): Promise<string[]> {
  const db = openDb({ url, applicationName: 'ha upgrade' });
  try {
    const { rows } = await db.query<{ name: string }>('select name from schema_migrations');
    return rows.map(({ name }) => name);
  } finally {
    await db.end();
  }
}

/**
 * Sends each recent id again to both versions, and lists the answers that differ from the first answer.
 * Either version may have written the order with this id.
 */
async function compareVersions(
  load: Load,
  given: { old: readonly WalletService[]; first: WalletService },
): Promise<string[]> {
  const sample = load.settled.slice(-sampleSize);
  const [old] = given.old;
  return [
    ...(await findOtherAnswers(load, sample, old?.address)),
    ...(await findOtherAnswers(load, sample, given.first.address)),
  ];
}

/**
 * Stops one process as in a rolling upgrade: callers use the other process, and the stopped process
 * finishes its requests.
 */
async function replace(
  load: Load,
  given: { leaving: WalletService | undefined; staying: readonly (WalletService | undefined)[] },
): Promise<void> {
  const stopped = given.leaving?.program.stop();
  // Waits about as long as a load balancer needs to notice that /readyz answers 503.
  await sleep(500);
  load.moveTo(addressesOf(given.staying));
  await stopped;
}
