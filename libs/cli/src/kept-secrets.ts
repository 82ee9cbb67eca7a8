// The demo's files that only their owner may read: the master key, tokens and the credentials.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeKeptFile } from '@counterfoil/kit/process/kept-files';
import { PlainError } from '@counterfoil/kit/process/plain-error';

/** Whole or not at all, and durable, even if the machine stops in the middle. */
export const writePrivateFile = (path: string, text: string): Promise<void> =>
  writeKeptFile({ path, text, mode: 0o600 });

/** The demo's master key, made on the first start. Returns the file that holds it. */
export async function ensureMasterKeyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, 'master.key');
  try {
    await readFile(file, 'utf8');
  } catch (error) {
    // Only a key that was never there may be made: a new one in its place would lose every secret.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new PlainError(`The master key ${file} cannot be read (${code}).`);
    if (existsSync(join(dataDir, 'credentials.json'))) {
      throw new PlainError(`The master key ${file} is gone, and with it every sealed secret.`);
    }
    await writePrivateFile(file, randomBytes(32).toString('base64'));
  }
  return file;
}

/** A token between the services, made on the first start. Returns the file that holds it. */
export async function ensureTokenFile(dataDir: string, name: string): Promise<string> {
  const file = join(dataDir, `${name}.token`);
  if (!existsSync(file)) await writePrivateFile(file, randomBytes(24).toString('base64url'));
  return file;
}
