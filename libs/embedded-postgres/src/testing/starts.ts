// A data folder in which tests start and kill the launcher repeatedly.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@counterfoil/kit/testing/free-port';
import pg from 'pg';
import {
  type Child,
  compileLauncher,
  linkModules,
  makeOpenFolder,
  removeFolder,
  startChild,
} from './child.ts';

export type Starts = Awaited<ReturnType<typeof openStarts>>;

/** Creates a data folder with a cluster on which no server runs. */
export async function openStarts() {
  const folder = await makeOpenFolder();
  const launcher = await compileLauncher(join(folder, 'launcher'));
  await linkModules(launcher);
  const dataDir = join(folder, 'data');
  const children: Child[] = [];
  const launch = (afterwards: 'hold' | 'stop' | 'return', path = dataDir): Child => {
    const child = startChild({ launcher, dataDir: path, afterwards });
    children.push(child);
    return child;
  };
  await finish(launch('stop'));
  // No other test can take this port while no server runs, so every start gets the same port.
  await writeFile(join(dataDir, 'postgres-port'), `${await findFreePort()}\n`);
  return {
    folder,
    dataDir,
    clusterDir: join(dataDir, 'postgres'),
    launch,
    /** Stops every launcher that a test left running, and its server. */
    clear: async (): Promise<void> => {
      await Promise.all(children.splice(0).map((child) => child.leave()));
    },
    remove: () => removeFolder(folder),
  };
}

export async function finish(child: Child): Promise<void> {
  await running(child);
  await child.ended;
}

export async function running(child: Child): Promise<{ pid: number; url: string }> {
  const { pid, url, failure } = await child.outcome;
  if (pid === undefined || url === undefined) throw new Error(failure);
  return { pid, url };
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export async function insertRow(url: string, note: string): Promise<void> {
  const client = await connect(url);
  await client.query('create table if not exists kept (note text)');
  await client.query('insert into kept values ($1)', [note]);
  await client.end();
}

export async function readNotes(url: string): Promise<string[]> {
  const client = await connect(url);
  const { rows } = await client.query('select note from kept');
  await client.end();
  return rows.map((row) => row.note);
}
