// `makeFolder` creates a folder with its parents, or throws the reason. It never hangs.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from './files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-folder-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('makeFolder creates a folder and its parents, even in concurrent and repeated calls', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, 'd'))]);
  await makeFolder(path);
  expect((await stat(join(path, 'd'))).isDirectory()).toBe(true);
});

it('makeFolder throws if a file has the name of the folder or of a parent', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'))).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(folder, 'file', 'x'))).rejects.toThrow('ENOTDIR');
});

it.runIf(process.platform === 'linux').each(['/proc/foo', '/proc/foo/bar/baz'])(
  'makeFolder throws if the folder cannot be created: %s',
  async (path) => {
    await expect(makeFolder(path)).rejects.toThrow(/ENOENT|EACCES/);
  },
);
