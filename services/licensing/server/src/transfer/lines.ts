// The lines of a file, one by one, however long the file or its longest line is.
import type { Readable } from 'node:stream';
import { maxRowBytes } from './row.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export type Line = Buffer | 'too long';

/** Holds one line at most. A carriage return ends lines only where no line feed does. */
export async function* splitLines(source: Readable): AsyncGenerator<Line> {
  let rest: Buffer[] = [];
  let size = 0;
  let end: number | undefined;
  const take = (last: Buffer): Line => {
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
      yield take(chunk.subarray(from, at));
      from = at + 1;
    }
    const last = chunk.subarray(from);
    size += last.length;
    if (size <= maxRowBytes) rest.push(last);
    else rest = [];
  }
  if (size > 0) yield take(Buffer.alloc(0));
}

/** At the very end of the first bytes a carriage return may be half of a pair. */
function findLineEnd(first: Buffer): number {
  const isReturn = first.subarray(0, -1).includes(carriageReturn) && !first.includes(lineFeed);
  return isReturn ? carriageReturn : lineFeed;
}
