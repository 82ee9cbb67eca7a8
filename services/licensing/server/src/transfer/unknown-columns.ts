// Collects the columns of a file that are not read. Each is reported with the field whose name it resembles
// or repeats.
import type { OnUnknownColumn } from './row.ts';

export interface UnknownColumn {
  /** The name of the column. It is empty for a column without a heading. */
  readonly column: string;
  /** The position of a CSV column without a heading, counted from 1. */
  readonly position?: number;
  /** The field whose name or alias the column has, if the field is read from another column. */
  readonly second_for?: string;
  readonly nearest: string | undefined;
}

/**
 * The maximum number of columns that are listed by name. A wrong file may have hundreds of columns, and each
 * NDJSON line may have new names.
 */
const maxNamed = 50;
/**
 * The maximum number of columns that are counted, so that a file with a million different names does not fill
 * the memory.
 */
export const maxCountedColumns = 10_000;
const maxNameLength = 100;

export class UnknownColumns {
  private readonly named: UnknownColumn[] = [];
  /** Every column found so far, up to `maxCountedColumns`. */
  private readonly counted = new Set<string>();
  private readonly known: readonly string[];
  private readonly ignored: ReadonlySet<string>;

  /** `ignored` contains the names of columns that are not reported. The names must be in lower case. */
  constructor(known: readonly string[], ignored: readonly string[] = []) {
    this.known = known;
    this.ignored = new Set(ignored);
  }

  readonly add: OnUnknownColumn = (column, { position, secondFor } = {}) => {
    const isNumbered = column === '' && position !== undefined;
    const name = shorten(column);
    const key = isNumbered ? `\u0000${position}` : name;
    if (this.counted.size >= maxCountedColumns || this.counted.has(key)) return;
    if (this.ignored.has(column.toLowerCase())) return;
    this.counted.add(key);
    if (this.named.length >= maxNamed) return;
    this.named.push({
      column: name.replace(/\p{C}/gu, '\ufffd'),
      ...(isNumbered && { position }),
      ...(secondFor !== undefined && { second_for: secondFor }),
      nearest: secondFor === undefined ? findNearest(name, this.known) : undefined,
    });
  };

  /** Lists the first 50 columns. */
  list(): readonly UnknownColumn[] {
    return this.named;
  }

  /** The number of all columns, at most `maxCountedColumns`. */
  get count(): number {
    return this.counted.size;
  }
}

/** Shortens a name. The characters are copied, because a slice would keep the whole name in memory. */
const shorten = (name: string) =>
  name.length > maxNameLength
    ? Buffer.from(name.slice(0, maxNameLength), 'utf16le').toString('utf16le')
    : name;

const simplify = (name: string) =>
  name
    .slice(0, maxNameLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the whole name, and its words of at least four letters: `email` may mean `buyer_email`. */
const formsOf = (name: string) => [simplify(name), ...name.split('_').filter((word) => word.length >= 4)];

/**
 * Finds the most similar known name. The given name may have typing errors or another spelling. It may also
 * have one word more or less than the known name.
 */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const given = simplify(name);
  if (given === '') return undefined;
  const distanceTo = (each: string) => Math.min(...formsOf(each).map((form) => measureDistance(given, form)));
  const [nearest] = known
    .map((each) => ({ each, distance: distanceTo(each) }))
    .sort((a, b) => a.distance - b.distance);
  if (nearest && nearest.distance <= Math.max(1, Math.floor(given.length / 4))) return nearest.each;
  return known.find((each) => simplify(each).length >= 4 && given.includes(simplify(each)));
}

/** The Damerau–Levenshtein distance of two names. */
function measureDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchange = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchange ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
