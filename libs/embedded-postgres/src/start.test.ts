// The guarantees of the embedded PostgreSQL that can be tested within one process.
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findPackageDir, prepareBinaries } from './binaries/binaries.ts';
import { openPrivateFolder } from './binaries/private-folder.ts';
import { chooseServerUser } from './cluster/server-user.ts';
import { launchPostmaster } from './postmaster/launch-postmaster.ts';
import { choosePort } from './postmaster/port.ts';
import { startPostmaster } from './postmaster/start-postmaster.ts';
import { DataDirInUseError, type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
import { makeOpenFolder, removeFolder } from './testing/child.ts';

let folder: string;
let dataDir: string;
const running: EmbeddedPostgres[] = [];

beforeAll(async () => {
  folder = await makeOpenFolder();
  // Every test runs in a long path with spaces, a quote and letters outside ASCII.
  dataDir = join(folder, `dätä 'x' ${'long '.repeat(30)}`, 'ü', 'データ');
  await mkdir(dataDir, { recursive: true });
});

async function stopAll(): Promise<void> {
  for (const postgres of running.splice(0)) await postgres.stop();
}

afterAll(() => removeFolder(folder));

async function start(path = dataDir, settings: Record<string, string> = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir: path, settings });
  running.push(postgres);
  return postgres;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a running server', () => {
  let postgres: EmbeddedPostgres;

  beforeAll(async () => {
    await symlink(dataDir, join(folder, 'alias'));
    postgres = await start(relative(process.cwd(), join(folder, 'alias')), {
      max_connections: '17',
    });
  });
  afterAll(stopAll);

  test('a running server has durable settings, listens on loopback only and handles Unicode', async () => {
    const row = await query(
      postgres.url('postgres'),
      `select current_setting('server_encoding') encoding,
         current_setting('data_checksums') checksums, current_setting('fsync') fsync,
         current_setting('full_page_writes') pages, current_setting('listen_addresses') listen,
         current_setting('unix_socket_directories') sockets, current_setting('timezone') zone,
         current_setting('max_connections') connections,
         current_user as name, lower('ÄΩ') as lowered, 'Z' < 'a' as by_code_point`,
    );
    expect(row).toEqual({
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
      pages: 'on',
      listen: '127.0.0.1',
      sockets: '',
      connections: '17',
      zone: 'UTC',
      name: 'counterfoil',
      lowered: 'äω',
      by_code_point: true,
    });
  });

  test('the server requires the password, which is in a file that only its owner may read', async () => {
    const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
    expect(postgres.url('a b')).toBe(`postgresql://counterfoil:${password}@127.0.0.1:${postgres.port}/a%20b`);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
    const forged = postgres.url('postgres').replace(password, 'wrong');
    await expect(query(forged, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('a running server creates a database of any name, once for concurrent callers', async () => {
    const name = 'wa"llet Ä';
    await Promise.all([1, 2, 3].map(() => postgres.ensureDatabase(name)));
    await postgres.ensureDatabase(name);
    expect(await query(postgres.url(name), 'select current_database() as name')).toEqual({ name });
  });

  test('a second start on the same folder is refused, even by a relative path or a symlink', async () => {
    const names = [dataDir, join(folder, 'alias'), relative(process.cwd(), dataDir)];
    for (const name of names) {
      const second = startEmbeddedPostgres({ dataDir: name });
      await expect(second).rejects.toThrow(DataDirInUseError);
      await expect(second).rejects.toThrow(
        `The data folder ${dataDir} is in use by another Counterfoil (process ${process.pid}); ` +
          'stop that one first or set DATA_DIR to another folder.',
      );
    }
    expect(await query(postgres.url('postgres'), 'select 1 as one')).toEqual({ one: 1 });
  });
});

describe('the data folder', () => {
  afterEach(stopAll);

  test('a new server uses the stored port, or another port if a program uses the stored port', async () => {
    const first = await start();
    await first.stop();
    const portFile = join(dataDir, 'postgres-port');
    expect(Number(await readFile(portFile, 'utf8'))).toBe(first.port);
    // Unlike the first port, no other test can take this port while no server runs.
    const stored = await findFreePort();
    await writeFile(portFile, `${stored}\n`);
    const second = await start();
    expect(second.port).toBe(stored);
    await second.stop();
    const squatter = createServer().listen(stored, '127.0.0.1');
    try {
      expect((await start()).port).not.toBe(stored);
    } finally {
      squatter.close();
    }
  });

  test('the server gets a new port if another program takes the chosen port first', async () => {
    await (await start()).stop();
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const taken = typeof address === 'object' ? address?.port : undefined;
    const clusterDir = join(dataDir, 'postgres');
    const user = await chooseServerUser(clusterDir);
    const native = await prepareBinaries({
      packageDir: findPackageDir(),
      user,
      openCopyFolder: openPrivateFolder,
      onProgress: () => undefined,
    });
    const postmaster = await startPostmaster(
      {
        native,
        dataDir,
        clusterDir,
        user,
        settings: {},
        onProgress: () => undefined,
      },
      async (attempt) => (attempt === 0 && taken ? taken : choosePort(undefined)),
    );
    expect(postmaster.port).not.toBe(taken);
    await postmaster.stop();
    squatter.close();
  });

  test('the data folder gets a new log file when the old log file is large', async () => {
    const log = join(dataDir, 'postgres.log');
    await writeFile(log, '');
    await truncate(log, 11 * 1024 * 1024);
    await (await start()).stop();
    expect((await stat(log)).size).toBeLessThan(100_000);
    expect((await stat(`${log}.1`)).size).toBe(11 * 1024 * 1024);
  });

  test('the error names a data folder whose parent is a file', async () => {
    await writeFile(join(folder, 'file'), '');
    const failed = startEmbeddedPostgres({ dataDir: join(folder, 'file', 'data') });
    await expect(failed).rejects.toThrow(/The data folder .*file\/data cannot be used: ENOTDIR/);
  });

  test.runIf(process.platform === 'linux')('the error names a data folder that cannot be used', async () => {
    const failed = startEmbeddedPostgres({ dataDir: '/proc/counterfoil' });
    await expect(failed).rejects.toThrow('The data folder /proc/counterfoil cannot be used: ');
  });
});

describe('a server that ends', () => {
  afterEach(stopAll);

  test('a server calls onExit if it ends unexpectedly, but not after stop()', async () => {
    const codes: (number | null)[] = [];
    const first = await start();
    first.onExit((code) => codes.push(code));
    process.kill(first.pid, 'SIGINT');
    await expect.poll(() => codes).toEqual([0]);
    await first.stop();

    const second = await start();
    second.onExit((code) => codes.push(code));
    await Promise.all([second.stop(), second.stop()]);
    await second.stop();
    expect(isAlive(second.pid)).toBe(false);
    // stop() resolves when the process has exited. Exit listeners run before the next event-loop iteration.
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes).toEqual([0]);
  });
});

describe('a start that fails', () => {
  afterEach(stopAll);

  test('a start that fails shows the last lines of the log and releases the lock of the folder', async () => {
    const failed = start(dataDir, { shared_buffers: 'plenty' });
    await expect(failed).rejects.toThrow(/PostgreSQL ended while starting/);
    await expect(failed).rejects.toThrow(/invalid value for parameter "shared_buffers": "plenty"/);
    await start();
  });

  test('a start fails with an error if the program is missing or not executable', async () => {
    const options = { dataDir, clusterDir: join(dataDir, 'postgres'), user: undefined };
    const launch = (native: string) =>
      launchPostmaster({ ...options, native, settings: {}, onProgress: () => undefined }, 1);
    await expect(launch('/nowhere')).rejects.toThrow(/nowhere.*could not be run: .*ENOENT/);
    await mkdir(join(folder, 'closed', 'bin'), { recursive: true });
    await writeFile(join(folder, 'closed', 'bin', 'postgres'), '');
    await chmod(join(folder, 'closed', 'bin', 'postgres'), 0o644);
    await expect(launch(join(folder, 'closed'))).rejects.toThrow(/could not be run: .*EACCES/);
  });
});
