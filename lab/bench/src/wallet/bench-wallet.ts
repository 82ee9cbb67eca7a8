// Measures the wallet: the cost of a movement, and update_balance compared with baselines and with rival
// ledgers.
import { requireWrk } from '../load.ts';
import { withPostgres } from '../machine/start-postgres.ts';
import type { BenchOptions, Measurement } from '../measurement.ts';
import { openBooks } from './books.ts';
import { createDataset } from './dataset.ts';
import { measureCatalogue } from './measure-catalogue.ts';
import { measureColdReplay } from './measure-cold-replay.ts';
import { measureEngine } from './measure-engine.ts';
import { measureUpdates } from './measure-updates.ts';
import { presentCosts, presentRates, presentRatios } from './present.ts';
import { withServers } from './servers.ts';

export async function benchWallet(options: BenchOptions): Promise<Measurement[]> {
  requireWrk();
  // pg_stat_statements counts the statements that reach PostgreSQL. All other settings of PostgreSQL are
  // defaults.
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  return withPostgres(options, settings, async (postgres) => {
    const dataset = await createDataset(postgres, options.say);
    const books = openBooks(dataset);
    try {
      const { updates, cold } = await withServers(dataset, async (servers) => {
        const target = { dataset, books, servers, postgresPid: postgres.pid, options };
        const measured = await measureUpdates(target);
        return { updates: measured, cold: await measureColdReplay(target, measured) };
      });
      const engine = await measureEngine({ dataset, books, options });
      const catalogue = await measureCatalogue(dataset, options);
      return [
        ...presentRates(updates, engine),
        ...presentRatios({ updates, cold, engine }),
        ...catalogue,
        ...presentCosts(updates),
      ];
    } finally {
      await books.close();
    }
  });
}
