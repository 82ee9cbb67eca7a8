// The embedded PostgreSQL with several users: folders that only root can enter, copies of the programs, and
// missing symlinks.
import { chmod, chown, cp, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPackageDir } from './binaries/binaries.ts';
import { copyBinaries } from './binaries/copy-binaries.ts';
import { linkLibraries } from './binaries/link-libraries.ts';
import { openClusterHome } from './cluster/cluster-home.ts';
import { startEmbeddedPostgres } from './start.ts';
import { makeOpenFolder, removeFolder } from './testing/child.ts';

const strangerId = 4_321;

let folder: string;

beforeAll(async () => {
  folder = await makeOpenFolder();
});

afterAll(() => removeFolder(folder));

test('linkLibraries creates missing symlinks, even if it is called several times at once', async () => {
  const packageDir = join(folder, 'package');
  const lib = join(packageDir, 'native', 'lib');
  const symlinks = join('native', 'pg-symlinks.json');
  await mkdir(lib, { recursive: true });
  await cp(join(findPackageDir(), symlinks), join(packageDir, symlinks));
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(packageDir, symlinks), 'utf8'),
  );
  for (const { source } of links) await writeFile(join(packageDir, source), '');
  const made = await Promise.all([1, 2, 3].map(() => linkLibraries(packageDir)));
  expect(made).toEqual([true, true, true]);
  expect(links.length).toBeGreaterThan(0);
  for (const { source, target } of links) {
    expect(join('native/lib', await readlink(join(packageDir, target)))).toBe(source);
  }
});

describe.skipIf(process.geteuid?.() !== 0)(
  'the embedded PostgreSQL, started as root (only root can change the owner of files)',
  () => {
    test('a start gives the cluster to another user, and only that user can read it', async () => {
      const dataDir = join(folder, 'root');
      await (await startEmbeddedPostgres({ dataDir })).stop();
      const cluster = await stat(join(dataDir, 'postgres'));
      expect(cluster.uid).not.toBe(0);
      expect(cluster.mode & 0o777).toBe(0o700);
    });

    test('the cluster is created outside a data folder that only root can enter', async () => {
      const closed = join(folder, 'closed');
      await mkdir(join(closed, 'data'), { recursive: true });
      await chmod(closed, 0o700);
      const dataDir = join(closed, 'data');
      const messages: string[] = [];
      const open = () => openClusterHome({ dataDir, onProgress: (text) => messages.push(text) });
      const { folder: home, user } = await open();
      expect((await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim()).toBe(home);
      expect(user?.uid).not.toBe(0);
      expect(messages).toEqual([
        `Storing the database in ${home}, because PostgreSQL runs as ${user?.name}, ` +
          `who cannot enter ${dataDir}`,
      ]);
      expect((await open()).folder).toBe(home);
      expect(messages).toHaveLength(1);
      await removeFolder(home);
      await expect(open()).rejects.toThrow(`is in ${home}, which does not exist`);
    });

    test('a copy of the programs that is damaged or belongs to another user is replaced', async () => {
      const packageDir = join(folder, 'small-package');
      await mkdir(join(packageDir, 'native', 'share'), { recursive: true });
      await writeFile(join(packageDir, 'package.json'), '{"version":"1.2.3"}');
      await writeFile(join(packageDir, 'native', 'program'), 'x', { mode: 0o755 });
      await writeFile(join(packageDir, 'native', 'share', 'postgres.bki'), 'y');
      const copies = join(folder, 'place');
      await mkdir(copies);
      const messages: string[] = [];
      const copy = () =>
        copyBinaries({ packageDir, folder: copies, onProgress: (text) => messages.push(text) });
      const [first, second] = await Promise.all([copy(), copy()]);
      expect(first).toBe(second);
      expect((await stat(join(first, 'program'))).mode & 0o777).toBe(0o755);
      messages.splice(0);
      await copy();
      expect(messages).toEqual([]);

      await chown(join(first, '..'), strangerId, strangerId);
      await copy();
      expect(messages).toHaveLength(1);
      expect((await stat(join(first, '..'))).uid).toBe(0);

      await rm(join(first, 'share', 'postgres.bki'));
      await copy();
      expect(messages).toHaveLength(2);
      await stat(join(first, 'share', 'postgres.bki'));
      expect(await readdir(copies)).toHaveLength(1);
    });
  },
);
