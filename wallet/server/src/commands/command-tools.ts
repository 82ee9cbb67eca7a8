// What every command needs: the service's database and settings, and ways to say the result.
import type { Db } from '@counterfoil/kit/db';
import type { Config } from '../config.ts';

export interface CommandTools {
  readonly run: <T>(work: (tools: { config: Config; db: Db }) => Promise<T>) => Promise<T>;
  readonly print: (line: string) => void;
}

export interface OutputOptions {
  readonly json?: boolean;
}

/** The same for programs and for people: JSON on one line, or a table. */
export function printRows(
  tools: CommandTools,
  options: OutputOptions,
  output: { json: unknown; head: readonly string[]; rows: readonly (readonly string[])[] },
): void {
  if (options.json) tools.print(JSON.stringify(output.json));
  else if (output.rows.length === 0) tools.print('There are none.');
  else tools.print(formatTable([output.head, ...output.rows]));
}

/** The same for one thing with its fields, one on a line. */
export function printFields(
  tools: CommandTools,
  options: OutputOptions,
  output: { json: unknown; title: string; fields: readonly (readonly [string, string])[] },
): void {
  if (options.json) tools.print(JSON.stringify(output.json));
  else tools.print([output.title, formatTable(output.fields)].join('\n'));
}

/** Columns padded to their longest cell. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows
    .map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
