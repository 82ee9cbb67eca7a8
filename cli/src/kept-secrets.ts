// The demo's files that only their owner may read: the master key and the credentials.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Whole or not at all, and durable, even if the machine stops in the middle. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** The demo's master key, made on the first start. Returns the file that holds it. */
export async function ensureMasterKeyFile(dataDir: string): Promise<string> {
  const file = join(dataDir, 'master.key');
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === undefined) {
    await writePrivateFile(file, `${randomBytes(32).toString('base64')}\n`);
  }
  return file;
}
