// Reads parts of an uploaded file, and copies the file with some of its bytes replaced.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const windowBytes = 64 * 1024;

/** A draft that is open for reading. Small reads that follow each other share one read of the disk. */
export interface Draft {
  readonly path: string;
  readonly size: number;
  /** Returns the bytes from `at` on. At the end of the file there are fewer than `length` bytes. */
  readonly read: (at: number, length: number) => Promise<Buffer>;
}

/** Opens a draft for the duration of `work`. */
export async function withOpenDraft<T>(path: string, work: (draft: Draft) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return await work({ path, size, read: createWindow(handle) });
  } finally {
    await handle.close();
  }
}

function createWindow(handle: FileHandle): Draft['read'] {
  let start = 0;
  let window = Buffer.alloc(0);
  return async (at, length) => {
    if (at < start || at + length > start + window.length) {
      const { buffer, bytesRead } = await handle.read({
        buffer: Buffer.alloc(Math.max(length, windowBytes)),
        position: at,
      });
      start = at;
      window = buffer.subarray(0, bytesRead);
    }
    return window.subarray(at - start, at - start + length);
  };
}

/** Bytes to replace: with `bytes`, or with zeros. A patch never changes the size of a file. */
export interface Patch {
  readonly at: number;
  readonly length: number;
  readonly bytes?: Buffer;
}

export const writeText = (at: number, text: string): Patch => ({
  at,
  length: text.length,
  bytes: Buffer.from(text, 'latin1'),
});

/** Reads a file with its patches applied. The patches must be sorted by `at` and must not overlap. */
export async function* readPatched(path: string, patches: readonly Patch[]): AsyncGenerator<Buffer> {
  let start = 0;
  let first = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const end = start + chunk.length;
    for (let i = first; i < patches.length; i++) {
      const { at, length, bytes } = patches[i] as Patch;
      if (at >= end) break;
      if (at + length <= end) first = i + 1;
      const from = Math.max(at, start);
      const to = Math.min(at + length, end);
      if (bytes) bytes.copy(chunk, from - start, from - at, to - at);
      else chunk.fill(0, from - start, to - start);
    }
    yield chunk;
    start = end;
  }
}
