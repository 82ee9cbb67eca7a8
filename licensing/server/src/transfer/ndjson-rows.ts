// Rows of a file with a JSON object per line; a broken line is reported and the next one read.
import type { Readable } from 'node:stream';
import { type Cell, type ColumnMap, maxRowBytes, type ReadRow } from './row.ts';

const newline = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

export async function* readNdjsonRows(
  source: Readable,
  options: { fields: readonly string[]; map: ColumnMap },
): AsyncGenerator<ReadRow> {
  const names = options.fields.map((field) => [field, options.map.get(field) ?? field] as const);
  let line = 0;
  for await (const bytes of splitLines(source)) {
    line++;
    if (bytes === 'too long') yield { line, problem: `is longer than ${maxRowBytes} bytes.` };
    else if (bytes.length > 0) yield* readLine(line, bytes, names);
  }
}

/** Holds one line at most, however long the file's longest is. */
async function* splitLines(source: Readable): AsyncGenerator<Buffer | 'too long'> {
  let rest: Buffer[] = [];
  let size = 0;
  const take = (last: Buffer): Buffer | 'too long' => {
    const isTooLong = size + last.length > maxRowBytes;
    const whole = isTooLong ? ('too long' as const) : Buffer.concat([...rest, last]);
    rest = [];
    size = 0;
    return whole;
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
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

function* readLine(
  line: number,
  bytes: Buffer,
  names: readonly (readonly [field: string, name: string])[],
): Generator<ReadRow> {
  let text: string;
  try {
    text = decoder.decode(bytes).trim();
  } catch {
    yield { line, problem: 'holds bytes that are not UTF-8.' };
    return;
  }
  if (text === '') return;
  const record = parseObject(text);
  if (!record) {
    yield { line, problem: 'is no JSON object.' };
    return;
  }
  const cells: Record<string, Cell> = {};
  for (const [field, name] of names) {
    const cell = Object.hasOwn(record, name) ? toCell(record[name]) : undefined;
    if (cell !== undefined) cells[field] = cell;
  }
  yield { line, cells };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Null counts as empty, a number by its shortest text; an object is no cell. */
function toCell(value: unknown): Cell | undefined {
  if (value === undefined) return undefined;
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'object' ? '\ufffd' : String(value);
}
