// Reads typed values from the cells of a row, and collects the problems.
import { isCurrency } from '@counterfoil/kit/money';
import { isProse, momentRule, parseMoment } from '../wire/input.ts';
import { readList } from './list-cell.ts';
import { inexact, type Row, type RowProblem } from './row.ts';

export class Cells {
  readonly problems: RowProblem[] = [];
  private readonly row: Row;

  constructor(row: Row) {
    this.row = row;
    for (const { field, column } of row.conflicts ?? [])
      this.refuse(field, `has another value in the column ${JSON.stringify(column)}.`);
  }

  /** Whether the file has the column, even if the cell is empty. */
  has(field: string): boolean {
    return this.row.cells[field] !== undefined;
  }

  refuse(field: string, reason: string): undefined {
    const { line, lastLine = line } = this.row;
    const extent = ` The row continues to line ${lastLine}; was a quote left open?`;
    this.problems.push({ line, field, reason: lastLine > line ? reason + extent : reason });
    return undefined;
  }

  /** Returns the trimmed text, or undefined if the cell is empty. */
  text(field: string, max: number): string | undefined {
    const cell = this.row.cells[field] ?? '';
    // JSON.parse may have rounded the number. Only safe integers are certainly exact, so other numbers are
    // refused.
    if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return this.refuseNumber(field);
    return this.scalar(field, max);
  }

  /** Reads one value. Refuses lists and booleans. */
  private scalar(field: string, max: number): string | undefined {
    const cell = this.row.cells[field] ?? '';
    if (typeof cell === 'boolean') return this.refuse(field, 'must not be true or false.');
    if (typeof cell === 'object') return this.refuse(field, 'must be one value, not a list.');
    const text = String(cell).trim();
    if (text === '') return undefined;
    if (text.includes('\ufffd')) return this.refuse(field, 'is not UTF-8 or not a plain value.');
    if (!isProse(text, max)) return this.refuse(field, `must have at most ${max} printable characters.`);
    return text;
  }

  /** Returns the text of an amount. The caller checks the decimals when it knows the currency. */
  amount(field: string): string | undefined {
    if (this.row.cells[field] === inexact) return this.refuseNumber(field);
    return this.scalar(field, 20);
  }

  private refuseNumber(field: string): undefined {
    return this.refuse(field, 'must be a text: this number may not be exact.');
  }

  required(field: string, max: number): string | undefined {
    return this.present(field, () => this.text(field, max));
  }

  requiredAmount(field: string): string | undefined {
    return this.present(field, () => this.amount(field));
  }

  private present(field: string, read: () => string | undefined): string | undefined {
    const before = this.problems.length;
    const text = read();
    if (text === undefined && this.problems.length === before) this.refuse(field, 'is missing.');
    return text;
  }

  oneOf<T extends string>(field: string, choices: readonly T[], fallback: T): T {
    const text = this.text(field, 40);
    if (text === undefined) return fallback;
    const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    if (found === undefined) this.refuse(field, `must be one of ${choices.join(', ')}.`);
    return found ?? fallback;
  }

  moment(field: string): Date | undefined {
    const text = this.text(field, 40);
    if (text === undefined) return undefined;
    return parseMoment(text) ?? this.refuse(field, momentRule);
  }

  flag(field: string): boolean {
    const cell = this.row.cells[field];
    if (typeof cell === 'boolean') return cell;
    const text = this.text(field, 10)?.toLowerCase();
    if (text === undefined || /^(?:0|no|false|n)$/.test(text)) return false;
    if (!/^(?:1|yes|true|y)$/.test(text)) this.refuse(field, 'must be true or false.');
    return true;
  }

  currency(field: string): string | undefined {
    const text = this.text(field, 3)?.toUpperCase();
    if (text === undefined || isCurrency(text)) return text;
    return this.refuse(field, 'must be a currency of ISO 4217.');
  }

  id(field: string): bigint | undefined {
    const text = this.text(field, 18);
    if (text === undefined) return undefined;
    return /^[1-9]\d*$/.test(text) ? BigInt(text) : this.refuse(field, 'must be a positive integer.');
  }

  list(field: string, limits: { entries: number; length: number }): string[] {
    const cell = this.row.cells[field] ?? '';
    if (typeof cell === 'number' || typeof cell === 'boolean') {
      this.refuse(field, 'must be a list of texts.');
      return [];
    }
    const parts = (typeof cell === 'string' ? readList(cell) : cell).map((part) => part.trim());
    const entries = parts.filter((part) => part !== '');
    const fit = entries.every((each) => isProse(each, limits.length) && !each.includes('\ufffd'));
    if (!fit || entries.length > limits.entries)
      this.refuse(field, `must be at most ${limits.entries} texts of up to ${limits.length} characters.`);
    return entries;
  }
}
