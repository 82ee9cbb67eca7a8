// Checks the machine: Node, open files, disk space, and the permissions of folders.
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, ok, problem, warning } from './finding.ts';
import { findExisting, type Machine } from './machine.ts';

const gibibyte = 2 ** 30;
const minFreeBytes = gibibyte;
const comfortableFreeBytes = 5 * gibibyte;
const minFreeFilesPart = 0.02;
const minOpenFiles = 512;
const comfortableOpenFiles = 4096;

export function checkNode({ nodeVersion }: Machine): Finding {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const says = `version ${nodeVersion}`;
  if (major < 20 || (major === 20 && minor < 19)) {
    return problem('Node', says, 'Install Node 20.19, 22 or 24; 24 is recommended.');
  }
  if (major === 20) {
    return warning('Node', `${says}, past its end of life`, 'Install Node 24 when you can.');
  }
  return ok('Node', says);
}

export async function checkOpenFiles(machine: Machine): Promise<Finding> {
  const limit = await machine.readOpenFiles();
  if (limit === undefined) return ok('open files', 'this system does not report the limit');
  const says = limit === Number.POSITIVE_INFINITY ? 'no limit' : `at most ${limit} per process`;
  const advice = 'Raise it: ulimit -n 65536 in a shell, LimitNOFILE=65536 in a systemd unit.';
  if (limit < minOpenFiles) return problem('open files', says, advice);
  return limit < comfortableOpenFiles ? warning('open files', says, advice) : ok('open files', says);
}

const formatSize = (bytes: number) => `${(bytes / gibibyte).toFixed(1)} GiB`;

export async function checkDisk(machine: Machine, path: string): Promise<Finding> {
  const check = 'disk';
  try {
    const { freeBytes, totalBytes, freeFilesPart } = await machine.readDisk(path);
    const says = `${formatSize(freeBytes)} of ${formatSize(totalBytes)} are free at ${path}`;
    const advice = 'Make room, or move DATA_DIR and FILES_DIR to a larger disk.';
    if (freeBytes < minFreeBytes) return problem(check, says, advice);
    if (freeFilesPart !== undefined && freeFilesPart < minFreeFilesPart) {
      const left = `${(freeFilesPart * 100).toFixed(1)} % of the inodes at ${path}`;
      return problem(check, `only ${left} are free`, advice);
    }
    return freeBytes < comfortableFreeBytes ? warning(check, says, advice) : ok(check, says);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return warning(check, `the free space at ${path} cannot be read (${code})`, 'Check df -h.');
  }
}

/**
 * Checks a folder that the services write to. The folder must be writable. If it does not exist, its nearest
 * existing parent must be writable.
 */
export async function checkFolder(check: string, path: string): Promise<Finding> {
  const existing = findExisting(path);
  const rights = constants.R_OK | constants.W_OK | constants.X_OK;
  const refusal = await access(existing, rights).catch((error: Error) => error);
  if (refusal) {
    const who = process.getuid?.() ?? 'this user';
    return problem(
      check,
      `${existing} is not writable for user ${who}`,
      'Make the folder writable for the user that runs the services, or set another folder.',
    );
  }
  if (existing !== path) return ok(check, `${path} does not exist yet; it is created when needed`);
  if (!(await stat(path)).isDirectory()) {
    return problem(check, `${path} is not a folder`, 'Move it away, or set another folder.');
  }
  return ok(check, `${path} can be read and written`);
}

const keptSecrets = /^(?:master\.key|credentials\.json|postgres-password|.+\.token)$/;

/** Checks that the files with secrets in the data folder can be read only by their owner. */
export async function checkKeptSecrets(dataDir: string): Promise<Finding[]> {
  const names = await readdir(dataDir).catch(() => []);
  const open: string[] = [];
  for (const name of names.filter((each) => keptSecrets.test(each))) {
    if (await isOpenToOthers(join(dataDir, name))) open.push(name);
  }
  if (open.length === 0) return [];
  const files = open.join(', ');
  return [
    problem(
      'secrets',
      `other users of this machine can read ${files} in ${dataDir}`,
      `chmod 600 ${open.map((name) => join(dataDir, name)).join(' ')}`,
    ),
  ];
}

export async function isOpenToOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}
