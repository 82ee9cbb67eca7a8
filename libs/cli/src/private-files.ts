// Files of the demo that only their owner may read: the master key, tokens and the credentials.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeKeptFile } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';

/** Writes a file atomically and durably, so that the file is complete even after a power cut. */
export const writePrivateFile = (path: string, text: string): Promise<void> =>
  writeKeptFile({ path, text, mode: 0o600 });

/** Creates the demo's master key on the first start. Returns the path of its file. */
export async function ensureMasterKeyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, 'master.key');
  try {
    await readFile(file, 'utf8');
  } catch (error) {
    // A master key is created only if the data folder never had a master key. A new key could not open the
    // secrets that a lost key sealed.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new PlainError(`The master key ${file} cannot be read (${code}).`);
    if (existsSync(join(dataDir, 'credentials.json'))) {
      throw new PlainError(
        `The master key ${file} is missing. Restore it from a backup: ` +
          'without it no sealed secret can be read.',
      );
    }
    await writePrivateFile(file, randomBytes(32).toString('base64'));
  }
  return file;
}

/** On the first start, creates a token that services share. Returns the path of its file. */
export async function ensureTokenFile(dataDir: string, name: string): Promise<string> {
  const file = join(dataDir, `${name}.token`);
  if (!existsSync(file)) await writePrivateFile(file, randomBytes(24).toString('base64url'));
  return file;
}
