// Finds the programs of a cluster on this machine, and reports all missing programs in one error.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '@counterfoil/kit/process/plain-error';

export interface Programs {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  /** The folder with PostgreSQL's programs, such as `pg_basebackup` and `pg_rewind`. */
  readonly postgresBin: string;
}

const debianFolder = '/usr/lib/postgresql';
const defaultFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), ...defaultFolders];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** The folder in PG_BIN_DIR, or else the newest version installed by Debian. */
function findPostgresBin(): string | undefined {
  const given = process.env.PG_BIN_DIR;
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newest = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
  const folders = given ? [given] : newest.map((version) => join(debianFolder, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind')));
}

export function findPrograms<Name extends keyof Programs>(names: readonly Name[]): Pick<Programs, Name> {
  const found = names.map((name) => {
    const path = name === 'postgresBin' ? findPostgresBin() : findProgram(name);
    return [name, path] as const;
  });
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length > 0) {
    throw new PlainError(
      `These programs are not installed: ${missing.join(', ')}. On Debian: ` +
        'apt-get install patroni etcd-server haproxy pgbouncer postgresql-15. PG_BIN_DIR ' +
        'names another PostgreSQL.',
    );
  }
  return Object.fromEntries(found) as Pick<Programs, Name>;
}
