// Reads the format and the columns from the first lines of a file.
import type { purchaseAliases } from '@counterfoil/licensing-server/purchases/import/purchase-row';

export interface Heading {
  /** The format of the file; undefined if it is neither CSV nor NDJSON. */
  readonly format: 'csv' | 'ndjson' | undefined;
  readonly delimiter: string | undefined;
  readonly columns: readonly string[];
  readonly firstRow: readonly string[];
}

const readBytes = 64 * 1024;
const delimiters = [',', ';', '\t', '|'];

export async function readHeading(file: File): Promise<Heading> {
  if (/\.(?:ndjson|jsonl)$/i.test(file.name)) return plain('ndjson');
  if (!/\.csv$/i.test(file.name)) return plain(undefined);
  return parseHeading(await file.slice(0, readBytes).text());
}

const plain = (format: Heading['format']): Heading => ({
  format,
  delimiter: undefined,
  columns: [],
  firstRow: [],
});

/**
 * Guesses the delimiter and the columns. The import sends the guessed delimiter to the service, which parses
 * the file itself.
 */
export function parseHeading(text: string): Heading {
  const [header = '', first = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const count = (delimiter: string) => splitCells(header, delimiter).length;
  const delimiter = delimiters.reduce((best, each) => (count(each) > count(best) ? each : best));
  return {
    format: 'csv',
    delimiter,
    columns: splitCells(header, delimiter),
    firstRow: splitCells(first, delimiter),
  };
}

/** The value of the column in the first row, shown as an example; empty if the field has no column. */
export const findExample = ({ columns, firstRow }: Heading, column: string | undefined): string =>
  column === undefined ? '' : (firstRow[columns.indexOf(column)] ?? '');

type Aliases = typeof purchaseAliases;

/** The aliases that the service accepts. The type ensures that this list equals the list of the service. */
const otherNames: { readonly [Field in keyof Aliases]: Aliases[Field][0] } = {
  code: 'purchase_code',
  date: 'purchased_at',
  license_type: 'licence_type',
};

/**
 * Assigns each column whose name is an alias to the field of the alias, unless another column has the name of
 * the field itself.
 */
export function guessMap(columns: readonly string[]): Readonly<Record<string, string>> {
  const find = (name: string) => columns.find((column) => column.toLowerCase() === name);
  return Object.fromEntries(
    Object.entries(otherNames).flatMap(([field, other]) => {
      const column = find(field) === undefined ? find(other) : undefined;
      return column === undefined ? [] : [[field, column]];
    }),
  );
}

function splitCells(line: string, delimiter: string): string[] {
  const cells: string[] = [''];
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') quoted = !quoted;
    else if (letter === delimiter && !quoted) cells.push('');
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim());
}
