// Writes a file whole or not at all: its name stands for a finished one.
import { open, rename, rm } from 'node:fs/promises';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';

const bufferedCharacters = 64 * 1024;

/** Lines are gathered, because there may be millions; the disk has them before the name is given. */
export async function writeWholeFile<T>(
  path: string,
  work: (write: (line: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const draft = `${path}.part`;
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new CommandRefused(`${path} cannot be written (${error.code})`);
  };
  const file = await open(draft, 'w', 0o600).catch(refuse);
  let waiting = '';
  const flush = async () => {
    const text = waiting;
    waiting = '';
    await file.appendFile(text).catch(refuse);
  };
  try {
    const done = await work(async (line) => {
      waiting += `${line}\n`;
      if (waiting.length >= bufferedCharacters) await flush();
    });
    await flush();
    await file.sync().catch(refuse);
    await rename(draft, path).catch(refuse);
    return done;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
