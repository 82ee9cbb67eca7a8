// Starts the suite's PostgreSQL (or uses TEST_DATABASE_URL) and migrates a template database per service.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@counterfoil/embedded-postgres/start';
import { dropTemplates, prepareTemplates, type TestServer } from '@counterfoil/kit/testing/databases';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

const sources = [
  { name: 'kit', folders: ['libs/kit/migrations'] },
  { name: 'licensing', folders: ['libs/kit/migrations', 'services/licensing/server/migrations'] },
  { name: 'wallet', folders: ['libs/kit/migrations', 'services/wallet/server/migrations'] },
];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const server = await prepareTemplates(given, sources, false);
    project.provide('testServer', server);
    return () => dropTemplates(server);
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-test-'));
  // If the tests run as root, PostgreSQL runs as another user. That user must be able to reach the data
  // folder.
  await chmod(dataDir, 0o755);
  const settings = { max_connections: '400', checkpoint_timeout: '1h', max_wal_size: '8GB' };
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  project.provide('testServer', await prepareTemplates(postgres.url('postgres'), sources, true));
  return async () => {
    // SIGQUIT stops PostgreSQL without a checkpoint, which is not needed because the folder is removed.
    process.kill(postgres.pid, 'SIGQUIT');
    await postgres.stop();
    // The folder has several hundred thousand files. A separate process deletes them, so that the run does
    // not wait for the disk.
    spawn('rm', ['-rf', dataDir], { detached: true, stdio: 'ignore' }).unref();
  };
}
