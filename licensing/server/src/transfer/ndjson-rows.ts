// Rows of a file with a JSON object per line; a broken line is reported and the next one read.
import type { Readable } from 'node:stream';
import { listMembers, mayRepeat } from '../parameters/json-members.ts';
import { markInexact } from './json-numbers.ts';
import { splitLines } from './lines.ts';
import { type Cell, type ColumnMap, maxRowBytes, type ReadRow } from './row.ts';

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
  const repeated = findContradiction(text, names);
  if (repeated !== undefined) {
    yield { line, problem: `names ${repeated} twice, with different values.` };
    return;
  }
  const cells: Record<string, Cell> = {};
  for (const [field, name] of names) {
    const cell = Object.hasOwn(record, name) ? toCell(record[name]) : undefined;
    if (cell !== undefined) cells[field] = cell;
  }
  yield { line, cells };
}

/** JSON.parse would keep the last of the two, and nobody would know. */
function findContradiction(
  text: string,
  fields: readonly (readonly [field: string, name: string])[],
): string | undefined {
  const names = fields.map(([, name]) => name);
  if (!mayRepeat(text, names)) return undefined;
  const found = [...listMembers(text, names)].find(([, values]) => new Set(values).size > 1);
  return found?.[0];
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(markInexact(text));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Null counts as empty; what no cell can hold is told apart from every text. */
function toCell(value: unknown): Cell | undefined {
  if (value === undefined) return undefined;
  if (value === null) return '';
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : '\ufffd'));
  return typeof value === 'object' ? '\ufffd' : (value as string | number | boolean);
}
