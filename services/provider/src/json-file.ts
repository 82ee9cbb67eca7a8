// A small value that survives a restart, in a private JSON file that is replaced at every change.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readKeptFile, writeKeptFile } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';

export async function openJsonFile<T>(path: string, empty: T) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = await readKeptFile(path);
  const value = text === undefined ? empty : parse<T>(path, text);
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return {
    value,
    /** Resolves when the current value is on disk; concurrent calls share one write. */
    save: (): Promise<void> => {
      waiting ??= writing
        .catch(() => {})
        .then(() => {
          writing = waiting ?? writing;
          waiting = undefined;
          return writeKeptFile({ path, text: JSON.stringify(value), mode: 0o600 });
        });
      return waiting;
    },
  };
}

function parse<T>(path: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new PlainError(`${path} is not JSON; repair it, or remove it to start without its content.`);
  }
}
