// Renders measurements as a table for the terminal and as Markdown.
import { holds, type Measurement } from '../measurement.ts';

export const formatFigure = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(round3(value));

const round3 = (value: number) => Number(value.toPrecision(3));

export const describeBar = ({ bar }: Measurement): string => {
  if (!bar) return '';
  return 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
};

const describeVerdict = (measurement: Measurement): string => {
  if (measurement.voidBecause !== undefined) return 'VOID';
  const verdict = holds(measurement);
  return verdict === undefined ? '' : verdict ? 'holds' : 'MISSED';
};

const heads = ['Measure', 'Figure', 'Limit', 'Aim', ''] as const;

const toCells = (each: Measurement): string[] => [
  each.title,
  each.voidBecause ?? `${formatFigure(each.value)} ${each.unit}`.trim(),
  describeBar(each),
  each.aim === undefined ? '' : String(each.aim),
  describeVerdict(each),
];

export function renderTable(measurements: readonly Measurement[]): string {
  const rows = [[...heads], ...measurements.map(toCells)];
  const widths = heads.map((_, column) =>
    Math.min(90, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function renderMarkdownTable(measurements: readonly Measurement[]): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [row(heads), '|---|---|---|---|---|', ...measurements.map((each) => row(toCells(each)))]
    .join('\n')
    .replaceAll('MISSED', '**MISSED**');
}
