// A small value that outlives the process: one private JSON file, replaced whole at every change.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readKeptFile, writeKeptFile } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';

export interface KeptJson<T> {
  readonly value: T;
  /** Resolves when the value as it is now is on disk; callers of one moment share a write. */
  save(): Promise<void>;
}

export async function openKeptJson<T>(path: string, empty: T): Promise<KeptJson<T>> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = await readKeptFile(path);
  const value = text === undefined ? empty : parse<T>(path, text);
  let writing: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return {
    value,
    save: () => {
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
    throw new PlainError(`${path} is no JSON; mend it, or remove it to begin anew.`);
  }
}
