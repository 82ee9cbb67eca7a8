// A movement as a line of the daily file: the same fields as NDJSON and as CSV.

export type ExportFormat = 'ndjson' | 'csv';
export const exportFormats: readonly ExportFormat[] = ['ndjson', 'csv'];

export const exportColumns = [
  'sequence',
  'created_at',
  'kind',
  'result',
  'transaction_id',
  'player_id',
  'amount',
  'balance',
  'currency',
  'game_id',
  'hash',
] as const;

export type ExportLine = Readonly<Record<(typeof exportColumns)[number], string | number | null>>;

/** A cell that a spreadsheet would run is marked with a quote, and so is one that starts with it. */
const runs = /^[=+\-@\t\r'＝＋－＠]/;

function writeCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return `"${(runs.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

export const writeExportLine = (line: ExportLine, format: ExportFormat): string =>
  format === 'csv'
    ? exportColumns.map((column) => writeCell(line[column])).join(',')
    : JSON.stringify(line);

/** What stands in front of the movements. */
export const writeExportHead = (format: ExportFormat): string[] =>
  format === 'csv' ? [exportColumns.join(',')] : [];

/** The last line; in CSV behind a mark, so that readers can leave it out. */
export const writeExportSeal = (seal: unknown, format: ExportFormat): string =>
  format === 'csv' ? `# ${JSON.stringify(seal)}` : JSON.stringify(seal);

export const readExportSeal = (line: string): unknown => JSON.parse(line.replace(/^# /, ''));
