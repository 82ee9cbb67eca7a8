// Measures the busiest operations, compared with a bare node:http echo: CPU time per request and rate.
import { openDb } from '@counterfoil/kit/postgres/db';
import { startEcho } from '../child-server.ts';
import { openDataset } from '../licensing/dataset.ts';
import { activateForLicences, issueLicences } from '../licensing/licences.ts';
import { startLicensing, validateCodes } from '../licensing/servers.ts';
import { requireWrk } from '../load.ts';
import { proveDataset } from '../load-target/books.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import type { BenchOptions, Measurement } from '../measurement.ts';
import {
  addPackageDataset,
  createPackageDataset,
  type PackageDataset,
  playerCount,
} from '../wallet/dataset.ts';
import { startWallet } from '../wallet/servers.ts';
import { listContenders, type Servers } from './contenders.ts';
import { measureContenders } from './measure-contenders.ts';
import { presentHot } from './present-hot.ts';

/** Small enough that the first run does not spend a minute on creating them. */
const purchaseCount = 20_000;
/** With these sizes, the suite takes about three minutes. */
const defaults = { rounds: 4, seconds: 3 };

export async function benchHot(bench: BenchOptions): Promise<Measurement[]> {
  requireWrk();
  const { rounds, seconds } = bench.given;
  const options = {
    ...bench,
    ...(!bench.quick && rounds === undefined && { rounds: defaults.rounds }),
    ...(!bench.quick && seconds === undefined && { seconds: defaults.seconds }),
  };
  return withPostgres(options, {}, async (postgres) => {
    const wallet = await createPackageDataset(postgres, options.say);
    const socketOff = await addPackageDataset(wallet.url);
    const database = 'bench_licensing_quick';
    await postgres.ensureDatabase(database);
    const licensingUrl = postgres.url(database);
    const purchases = await openDataset(licensingUrl, { purchaseCount, say: options.say });
    options.conditions.sizes = `${playerCount} players, ${purchaseCount} purchases`;
    const db = openDb({ url: wallet.url, applicationName: 'bench hot' });
    try {
      const datasets: readonly PackageDataset[] = [wallet, socketOff];
      const figures = await withServers({ walletUrl: wallet.url, licensingUrl }, async (servers) => {
        const licences = await issueLicences(licensingUrl, purchases);
        await activateForLicences(servers.licensing.url, licences);
        const data = { wallet, socketOff, validations: validateCodes(purchases), licences };
        const contenders = listContenders(servers, data);
        return measureContenders({ db, datasets, postgresPid: postgres.pid, contenders, options });
      });
      options.say('Verifying the ledgers …');
      await proveDataset(db, { packages: datasets.map(({ packageId }) => ({ id: packageId })) });
      return presentHot(figures);
    } finally {
      await db.end();
    }
  });
}

async function withServers<T>(
  { walletUrl, licensingUrl }: { walletUrl: string; licensingUrl: string },
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const started: Partial<Servers> = {};
  try {
    started.echo = await startEcho();
    started.wallet = await startWallet({ url: walletUrl });
    started.socketOff = await startWallet({ url: walletUrl }, { SOCKET_FAST_PATH: 'off' });
    started.licensing = await startLicensing(licensingUrl);
    return await work(started as Servers);
  } finally {
    for (const server of Object.values(started)) await server.stop();
  }
}
