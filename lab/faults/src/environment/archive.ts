// Makes and restores a base backup with a WAL archive, using only SQL functions and `cp`.
import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestEnvironment } from './test-environment.ts';

export interface Archive {
  /** Resolves when the WAL archive contains everything that was written so far. */
  catchUp(): Promise<void>;
  /** Copies the running cluster, and returns the folder of the copy. */
  backUp(): Promise<string>;
  /** Replaces the data of the stopped cluster with the backup; the next start replays the archive. */
  restore(backup: string): Promise<void>;
}

const copy = promisify(execFile);

/** Copies a cluster. Files may disappear during the copy; replaying the WAL corrects the copy. */
async function copyTree(from: string, to: string): Promise<void> {
  await copy('cp', ['-a', `${from}/.`, to]).catch((error: { stderr?: string }) => {
    const lines = (error.stderr ?? '').trim().split('\n');
    if (!lines.every((line) => /No such file/.test(line))) throw error;
  });
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}

async function copyRunning(environment: TestEnvironment, cluster: string, backup: string): Promise<void> {
  const session = new pg.Client({ connectionString: environment.databaseUrl() });
  await session.connect();
  try {
    await session.query("select pg_backup_start('faults', true)");
    await copyTree(cluster, backup);
    const { rows } = await session.query('select labelfile from pg_backup_stop()');
    await writeFile(join(backup, 'backup_label'), rows[0].labelfile);
  } finally {
    await session.end();
  }
  await emptyFolder(join(backup, 'pg_wal'));
  for (const name of ['postmaster.pid', 'postmaster.opts']) {
    await rm(join(backup, name), { force: true });
  }
}

/** The cluster must run with `archive_mode=on`. */
export async function startArchive(environment: TestEnvironment): Promise<Archive> {
  const one = async (query: string) => Object.values((await environment.db.query(query)).rows[0] ?? {})[0];
  const cluster = String(await one("select current_setting('data_directory')"));
  const { uid, gid } = await stat(cluster);
  const makeFolder = async (name: string) => {
    const folder = join(environment.folder, name);
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, uid, gid);
    return folder;
  };
  const folder = await makeFolder('archive');
  await environment.db.query(
    `alter system set archive_command = 'test ! -f ${folder}/%f && cp %p ${folder}/%f'`,
  );
  await environment.db.query(`alter system set restore_command = 'cp ${folder}/%f %p'`);
  await environment.db.query('select pg_reload_conf()');
  let backups = 0;
  return {
    catchUp: async () => {
      const last = await one('select pg_walfile_name(pg_switch_wal())');
      for (let waits = 0; waits < 600; waits++) {
        const archived = await one('select last_archived_wal from pg_stat_archiver');
        if (String(archived) >= String(last)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('the archive did not catch up within 30 s');
    },
    backUp: async () => {
      const backup = await makeFolder(`backup-${++backups}`);
      await copyRunning(environment, cluster, backup);
      return backup;
    },
    restore: async (backup) => {
      await emptyFolder(cluster);
      await copyTree(backup, cluster);
      const signal = join(cluster, 'recovery.signal');
      await writeFile(signal, '');
      await chown(signal, uid, gid);
      await chown(join(cluster, 'backup_label'), uid, gid);
    },
  };
}
