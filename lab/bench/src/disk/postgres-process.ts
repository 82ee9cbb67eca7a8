// Runs PostgreSQL in a separate process, so that strace can trace and delay its flushes.
import { startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

const postgres = await startEmbeddedPostgres({
  dataDir: process.env.BENCH_DISK_DIR ?? '',
  settings: { shared_preload_libraries: 'pg_stat_statements' },
});

process.stdin.on('data', async (bytes: Buffer) => {
  // Each input line names a database to create.
  for (const name of bytes.toString().split('\n').filter(Boolean)) {
    await postgres.ensureDatabase(name);
    say({ created: name });
  }
});
process.stdin.once('end', async () => {
  await postgres.stop();
  process.exit(0);
});
say({ pid: postgres.pid, url: postgres.url('DATABASE') });
