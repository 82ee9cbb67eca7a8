// Measurements as a table for people.
import { holds, type Measurement } from './measurement.ts';

const format = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const describeBar = ({ bar, aim }: Measurement): string => {
  if (!bar) return '';
  const text = 'atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
  return aim === undefined ? text : `${text} (aim ${aim})`;
};

const describeVerdict = (measurement: Measurement): string => {
  const verdict = holds(measurement);
  return verdict === undefined ? '' : verdict ? 'holds' : 'MISSED';
};

export function renderTable(measurements: readonly Measurement[]): string {
  const rows = [
    ['Measured', 'Value', 'Bar', ''],
    ...measurements.map((each) => [
      each.title,
      `${format(each.value)} ${each.unit}`.trim(),
      describeBar(each),
      describeVerdict(each),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
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
