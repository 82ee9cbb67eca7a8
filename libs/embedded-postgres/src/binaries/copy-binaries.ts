// Copies PostgreSQL's programs out of the npm package for a user who cannot run them there.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '@counterfoil/kit/process/files';
import { linkLibraries } from './link-libraries.ts';
import { isOurs } from './private-folder.ts';

const abandonedAfterMs = 3_600_000;

/** Returns the folder of the copy with bin, lib and share. An existing complete copy is reused. */
export async function copyBinaries(options: {
  packageDir: string;
  folder: string;
  onProgress: (message: string) => void;
}): Promise<string> {
  const { packageDir, folder } = options;
  const files = await listFiles(join(packageDir, 'native'));
  const fingerprint = fingerprintOf(files);
  const copy = join(folder, `postgres-${await readVersion(packageDir)}-${fingerprint}`);
  if (await isWhole(copy, fingerprint)) return join(copy, 'native');

  options.onProgress(
    `Copying PostgreSQL's programs to ${copy}, because they cannot be run from ${packageDir}`,
  );
  await removeAbandoned(folder);
  const unfinished = await mkdtemp(`${copy}.unfinished-`);
  try {
    await copyFiles({ packageDir, files, target: unfinished });
    await linkLibraries(unfinished);
    await publishCopy({ unfinished, copy, fingerprint });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return join(copy, 'native');
}

// Copying takes a second. An unfinished copy that is an hour old was left by a killed process.
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^postgres-.*\.unfinished-/.test(name)) continue;
    const path = join(folder, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changed > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}

async function publishCopy(paths: { unfinished: string; copy: string; fingerprint: string }) {
  // An existing copy may be incomplete after a power cut or a clean-up of /var/tmp.
  if (!(await isWhole(paths.copy, paths.fingerprint))) {
    await rm(paths.copy, { recursive: true, force: true });
  }
  try {
    await rename(paths.unfinished, paths.copy);
  } catch (error) {
    const code = errorCode(error);
    const madeByAnother = code === 'ENOTEMPTY' || code === 'EEXIST';
    if (!madeByAnother || !(await isWhole(paths.copy, paths.fingerprint))) throw error;
  }
}

async function isWhole(copy: string, fingerprint: string): Promise<boolean> {
  try {
    return (await isOurs(copy)) && fingerprintOf(await listFiles(join(copy, 'native'))) === fingerprint;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

interface PackagedFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

async function listFiles(native: string): Promise<PackagedFile[]> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (file) => {
      const path = join(file.parentPath, file.name);
      const { size, mode } = await lstat(path);
      return { path: relative(dirname(native), path), size, executable: (mode & 0o100) !== 0 };
    }),
  );
}

function fingerprintOf(files: readonly PackagedFile[]): string {
  const lines = files.map(({ path, size }) => `${path} ${size}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
}

async function readVersion(packageDir: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  return String(manifest?.version ?? '').replace(/[^\w.-]/g, '_');
}

async function copyFiles(paths: { packageDir: string; files: PackagedFile[]; target: string }) {
  for (const folder of new Set(paths.files.map((file) => dirname(file.path)))) {
    await mkdir(join(paths.target, folder), { recursive: true });
  }
  for (const file of paths.files) {
    const path = join(paths.target, file.path);
    await copyFile(join(paths.packageDir, file.path), path, constants.COPYFILE_FICLONE);
    await chmod(path, file.executable ? 0o755 : 0o644);
  }
  // Modes are set explicitly, because under a strict umask only the owner could read the copy.
  for (const entry of await readdir(paths.target, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(paths.target, 0o755);
}
