// A file is complete or absent, and the drafts of interrupted uploads are removed.
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FileTooLargeError, openFile, removeFile, storeFile, sweepDrafts } from './stored-file.ts';

let folder: string;
const limits = { maxBytes: 10 };
const bytes = (text: string) => Readable.from([Buffer.from(text)]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-kept-'));
});

afterAll(() => rm(folder, { recursive: true }));

it('a file is stored, opened and removed by its key', async () => {
  const { key, bytes: size } = await storeFile(folder, bytes('hello'), limits);
  expect(size).toBe(5n);
  const handle = await openFile(folder, key);
  expect(await handle?.readFile('utf8')).toBe('hello');
  await handle?.close();
  await removeFile(folder, key);
  expect(await openFile(folder, key)).toBeUndefined();
});

it.each(['../secret', '/etc/passwd', '', 'A'.repeat(32), `${'a'.repeat(32)}/..`])(
  'openFile refuses the key %j',
  async (key) => {
    await expect(openFile(folder, key)).rejects.toThrow('not a key');
  },
);

it('an upload leaves no file if it has too many bytes or its source fails', async () => {
  await expect(storeFile(folder, bytes('x'.repeat(11)), limits)).rejects.toThrow(FileTooLargeError);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('part');
      throw new Error('cut');
    })(),
  );
  await expect(storeFile(folder, broken, limits)).rejects.toThrow('cut');
  expect(await readdir(join(folder, 'drafts'))).toEqual([]);
});

it('files of unfinished uploads are removed after a day, and newer files are kept', async () => {
  const now = new Date();
  const old = new Date(now.getTime() - 25 * 3_600_000);
  await writeFile(join(folder, 'drafts/old'), 'x');
  await utimes(join(folder, 'drafts/old'), old, old);
  await writeFile(join(folder, 'drafts/new'), 'x');
  expect(await sweepDrafts(folder, now)).toBe(1);
  expect(await readdir(join(folder, 'drafts'))).toEqual(['new']);
  expect(await sweepDrafts(join(folder, 'nowhere'), now)).toBe(0);
});
