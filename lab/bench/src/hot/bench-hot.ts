// Measures the busiest operations, compared with a bare node:http echo: CPU time per request and rate.
import { openDb } from '@counterfoil/kit/postgres/db';
import { startEcho } from '../child-server.ts';
import { openDataset } from '../licensing/dataset.ts';
import { startLicensing, validateCodes } from '../licensing/servers.ts';
import { requireWrk } from '../load.ts';
import { proveDataset } from '../load-target/books.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import type { BenchOptions, Measurement } from '../measurement.ts';
import { createPackageDataset, playerCount } from '../wallet/dataset.ts';
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
    const dataset = await createPackageDataset(postgres, options.say);
    const database = 'bench_licensing_quick';
    await postgres.ensureDatabase(database);
    const licensingUrl = postgres.url(database);
    const purchases = await openDataset(licensingUrl, { purchaseCount, say: options.say });
    options.conditions.sizes = `${playerCount} players, ${purchaseCount} purchases`;
    const db = openDb({ url: dataset.url, applicationName: 'bench hot' });
    try {
      const figures = await withServers({ walletUrl: dataset.url, licensingUrl }, async (servers) => {
        const contenders = listContenders(servers, dataset, validateCodes(purchases));
        return measureContenders({ db, dataset, postgresPid: postgres.pid, contenders, options });
      });
      options.say('Verifying the ledger …');
      await proveDataset(db, { packages: [{ id: dataset.packageId }] });
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
    // The wallet with its default settings, whatever the default of SOCKET_FAST_PATH is.
    started.wallet = await startWallet({ url: walletUrl });
    started.socketOn = await startWallet({ url: walletUrl }, { SOCKET_FAST_PATH: 'on' });
    started.socketOff = await startWallet({ url: walletUrl }, { SOCKET_FAST_PATH: 'off' });
    started.licensing = await startLicensing(licensingUrl);
    return await work(started as Servers);
  } finally {
    for (const server of Object.values(started)) await server.stop();
  }
}
