// Reads the rows of an NDJSON file; a broken line is reported, and reading continues.
import type { Readable } from 'node:stream';
import { listMembers, mayRepeat } from '../parameters/json-members.ts';
import { splitLines } from './lines.ts';
import {
  type Cell,
  type ColumnConflict,
  type ColumnOptions,
  differs,
  fieldOf,
  maxRowBytes,
  namesOf,
  type ReadRow,
} from './row.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

export async function* readNdjsonRows(source: Readable, options: ColumnOptions): AsyncGenerator<ReadRow> {
  const fields = options.fields.map((field) => [field, namesOf(field, options)] as const);
  const names = [...new Set(fields.flatMap(([, each]) => each))];
  const columns = { fields, names, options };
  let line = 0;
  for await (const bytes of splitLines(source)) {
    line++;
    if (bytes === 'too long') yield { line, problem: `is longer than ${maxRowBytes} bytes.` };
    else if (bytes.length > 0) yield* readLine(line, bytes, columns);
  }
}

interface Columns {
  readonly fields: readonly (readonly [field: string, names: readonly string[]])[];
  readonly names: readonly string[];
  readonly options: ColumnOptions;
}

function* readLine(line: number, bytes: Buffer, { fields, names, options }: Columns): Generator<ReadRow> {
  let text: string;
  try {
    text = decoder.decode(bytes).trim();
  } catch {
    yield { line, problem: 'contains bytes that are not UTF-8.' };
    return;
  }
  if (text === '') return;
  const record = parseObject(text);
  if (!record) {
    yield { line, problem: 'is not a JSON object.' };
    return;
  }
  const repeated = findContradiction(text, names);
  if (repeated !== undefined) {
    yield { line, problem: `names ${repeated} twice, with different values.` };
    return;
  }
  const cells: Record<string, Cell> = {};
  const read = new Set<string>();
  for (const [field, candidates] of fields) {
    const name = candidates.find((each) => Object.hasOwn(record, each));
    if (name === undefined) continue;
    read.add(name);
    const cell = toCell(record[name]);
    if (cell !== undefined) cells[field] = cell;
  }
  const conflicts: ColumnConflict[] = [];
  for (const [column, value] of Object.entries(record)) {
    if (read.has(column)) continue;
    const field = fieldOf(column, options);
    options.onUnknown(column, { secondFor: field });
    // If the user has mapped the field to a column, the other columns for this field are not compared and may
    // have any value.
    if (field === undefined || options.map.has(field)) continue;
    if (differs(toCell(value), cells[field])) conflicts.push({ field, column });
  }
  yield { line, cells, ...(conflicts.length > 0 && { conflicts }) };
}

/** Finds a member that is repeated with another value. JSON.parse silently keeps only the last value. */
function findContradiction(text: string, names: readonly string[]): string | undefined {
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

/**
 * Converts a JSON value to a cell. Null becomes an empty text. An object becomes U+FFFD, which no valid text
 * contains.
 */
function toCell(value: unknown): Cell | undefined {
  if (value === undefined) return undefined;
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : '\ufffd'));
  return typeof value === 'object' ? '\ufffd' : (value as string | number | boolean);
}

/** Matches 16 digits or more. A double represents any 15 digits exactly, so shorter numbers need no check. */
const manyDigits = /\d(?:\.?\d){15}/;

/** Matches numbers and quoted texts. Matching a whole quoted text skips the numbers inside it. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Replaces a number that JavaScript would round. JSON.parse reads this text as infinity, the value of the
 * constant `inexact`.
 */
const inexactNumber = '1e999';

const markInexact = (json: string): string =>
  manyDigits.test(json)
    ? json.replace(tokens, (token) => (token.startsWith('"') || isExact(token) ? token : inexactNumber))
    : json;

/** Whether JavaScript represents the number exactly: parsing and formatting it must not change its value. */
const isExact = (token: string) => normalise(token) === normalise(String(Number(token)));

/** Returns the same text for all spellings of a number: the significant digits and the exponent. */
function normalise(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const moved = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${moved}`;
}
