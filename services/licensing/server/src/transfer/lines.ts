// Splits a file into lines with bounded memory, however long the file or a line is.
import type { Readable } from 'node:stream';
import { maxRowBytes } from './row.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export type Line = Buffer | 'too long';

/**
 * Splits the file. A carriage return ends a line only if the file has no line feeds. At most one line is in
 * memory.
 */
export async function* splitLines(source: Readable): AsyncGenerator<Line> {
  let rest: Buffer[] = [];
  let size = 0;
  let end: number | undefined;
  const finish = (last: Buffer): Line => {
    const isTooLong = size + last.length > maxRowBytes;
    const whole = isTooLong ? 'too long' : size === 0 ? last : Buffer.concat([...rest, last]);
    rest = [];
    size = 0;
    return whole;
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    end ??= findLineEnd(chunk);
    let from = 0;
    for (let at = chunk.indexOf(end); at !== -1; at = chunk.indexOf(end, from)) {
      yield finish(chunk.subarray(from, at));
      from = at + 1;
    }
    const last = chunk.subarray(from);
    size += last.length;
    if (size <= maxRowBytes) rest.push(last);
    else rest = [];
  }
  if (size > 0) yield finish(Buffer.alloc(0));
}

/**
 * Finds the character that ends lines. A carriage return in the last byte of the first chunk is ignored,
 * because a line feed may follow in the next chunk.
 */
function findLineEnd(first: Buffer): number {
  const isReturn = first.subarray(0, -1).includes(carriageReturn) && !first.includes(lineFeed);
  return isReturn ? carriageReturn : lineFeed;
}
