// Starts the embedded PostgreSQL in the folder of the benchmarks.
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import { openDb } from '@counterfoil/kit/postgres/db';
import type { BenchOptions } from '../measurement.ts';

export const benchDataDir = (): string =>
  process.env.BENCH_DATA_DIR ?? fileURLToPath(new URL('../../../../data/bench', import.meta.url));

export async function withPostgres<T>(
  options: BenchOptions,
  settings: Readonly<Record<string, string>>,
  work: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const postgres = await startEmbeddedPostgres({
    dataDir: benchDataDir(),
    settings,
    onProgress: options.say,
  });
  try {
    options.conditions.postgresVersion = await readVersion(postgres.url('postgres'));
    return await work(postgres);
  } finally {
    await postgres.stop();
  }
}

async function readVersion(url: string): Promise<string> {
  const db = openDb({ url, applicationName: 'bench version' });
  try {
    const { rows } = await db.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await db.end();
  }
}
