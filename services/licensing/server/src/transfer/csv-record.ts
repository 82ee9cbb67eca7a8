// Assembles the records of a CSV file from its lines. A wrong quote invalidates only its own line. The
// library csv-parse is not used: after a wrong quote, it either stops or reads the following lines as part of
// the cell, so that the rows of these lines are lost.
import { type BadRow, maxRowBytes, maxRowLines } from './row.ts';

export interface CsvRecord {
  /** The number of the first line, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  readonly cells: readonly string[];
}

interface TextLine {
  readonly line: number;
  readonly text: string;
}

const quote = '"';

/** Splits a record into cells. Returns undefined if a quote is misplaced. */
function splitRecord(text: string, delimiter: string): string[] | undefined {
  if (!text.includes(quote)) return text.split(delimiter);
  const cells: string[] = [];
  for (let from = 0; ; from += delimiter.length) {
    let end = findEnd(text, delimiter, from);
    if (text.startsWith(quote, from)) {
      const closing = findClosingQuote(text, from + 1);
      if (closing === -1) return undefined;
      cells.push(text.slice(from + 1, closing).replaceAll('""', quote));
      end = closing + 1;
    } else {
      const cell = text.slice(from, end);
      if (cell.includes(quote)) return undefined;
      cells.push(cell);
    }
    if (end === text.length) return cells;
    if (!text.startsWith(delimiter, end)) return undefined;
    from = end;
  }
}

function findEnd(text: string, delimiter: string, from: number): number {
  const at = text.indexOf(delimiter, from);
  return at === -1 ? text.length : at;
}

/**
 * Returns the position of the quote that closes the cell, or -1 if there is none. Skips doubled quotes, which
 * are part of the cell.
 */
function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && text.startsWith(quote, at + 1)) at = text.indexOf(quote, at + 2);
  return at;
}

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) isOdd = !isOdd;
  return isOdd;
}

/**
 * A record continues on the next line while its number of quotes is odd. If the record becomes too long or
 * invalid, the reader assumes a wrong quote in its first line. The reader then reports the first line, and
 * starts a new record on the second line.
 */
export class RecordReader {
  /** The lines of the record that is not complete yet, because a quote is still open. */
  private open: TextLine[] = [];
  private size = 0;
  private readonly delimiter: string;
  /** The number of cells in the header. A record of several lines must have the same number. */
  cellCount: number | undefined;

  constructor(delimiter: string) {
    this.delimiter = delimiter;
  }

  *add(line: TextLine): Generator<CsvRecord | BadRow> {
    if (this.open.length === 0 && !line.text.includes(quote)) {
      const text = withoutReturn(line.text);
      if (text !== '') yield { line: line.line, lastLine: line.line, cells: text.split(this.delimiter) };
      return;
    }
    this.open.push(line);
    this.size += line.text.length;
    const isOdd = hasOddQuotes(line.text);
    const isComplete = this.open.length === 1 ? !isOdd : isOdd;
    const isTooLong = this.size > maxRowBytes || this.open.length > maxRowLines;
    if (!isComplete && !isTooLong) return;
    const record = isTooLong ? undefined : this.join();
    if (!record) yield* this.giveUpFirst();
    else {
      this.open = [];
      this.size = 0;
      yield record;
    }
  }

  /** Reports each unclosed quote. Call `end` at the end of the file, and before an unreadable line. */
  *end(): Generator<CsvRecord | BadRow> {
    while (this.open.length > 0) yield* this.giveUpFirst();
  }

  private join(): CsvRecord | undefined {
    const [first] = this.open;
    const text = withoutReturn(this.open.map((each) => each.text).join('\n'));
    const cells = splitRecord(text, this.delimiter);
    if (!first || !cells) return undefined;
    const isSuspect = this.open.length > 1 && cells.length !== (this.cellCount ?? cells.length);
    const lastLine = first.line + this.open.length - 1;
    return isSuspect ? undefined : { line: first.line, lastLine, cells };
  }

  private *giveUpFirst(): Generator<CsvRecord | BadRow> {
    const [first, ...others] = this.open;
    this.open = [];
    this.size = 0;
    if (!first) return;
    const problem = 'is not valid CSV: a quote is misplaced or never closed.';
    yield { line: first.line, problem };
    for (const each of others) yield* this.add(each);
  }
}

const withoutReturn = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text);
