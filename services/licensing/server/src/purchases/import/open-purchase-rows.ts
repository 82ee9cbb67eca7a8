// Opens a file of purchases. Its columns have our names, are mapped by the user, or have the names of a
// marketplace.
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Format, type OpenRows, openRows, parseMap } from '../../transfer/open-rows.ts';
import type { ReadRow } from '../../transfer/row.ts';
import { type ForeignCells, type PresetName, presets } from './presets.ts';
import { purchaseAliases, purchaseFields } from './purchase-row.ts';

export interface FileOptions {
  readonly format: Format;
  readonly delimiter: string;
  /** Entries of the form `field=column`. */
  readonly map: readonly string[];
  readonly preset?: PresetName | undefined;
}

export async function openPurchaseRows(
  file: string,
  { format, delimiter, preset: name, ...options }: FileOptions,
): Promise<OpenRows> {
  const map = parseMap(options.map, purchaseFields);
  if (name === undefined) {
    const aliases = purchaseAliases;
    return openRows(file, { format, delimiter, map, fields: purchaseFields, aliases });
  }
  if (format !== 'csv') throw new CommandRefused('a preset is for CSV files');
  const { columns, otherColumns: ignored, read } = presets[name];
  // If the user mapped a column to a field, that column takes precedence over the preset. The key of a mapped
  // field has a prefix that no column name can have, so it differs from all columns of the preset.
  const named = new Map([...map].map(([field, column]) => [`${mapped}${field}`, column]));
  const fields = [...columns, ...named.keys()];
  const open = await openRows(file, { format, delimiter, map: named, fields, ignored, suggested: columns });
  return { ...open, rows: translate(open.rows, read) };
}

const mapped = 'mapped\u0000';

async function* translate(
  rows: AsyncIterable<ReadRow>,
  read: (typeof presets)[PresetName]['read'],
): AsyncGenerator<ReadRow> {
  for await (const row of rows) {
    if ('problem' in row) {
      yield row;
      continue;
    }
    const own = read(row.cells as ForeignCells);
    if (own) yield { ...row, cells: { ...own, ...pickMapped(row.cells as ForeignCells) } };
  }
}

const pickMapped = (cells: ForeignCells): Record<string, string> =>
  Object.fromEntries(
    Object.entries(cells).flatMap(([field, cell]) =>
      field.startsWith(mapped) ? [[field.slice(mapped.length), cell ?? '']] : [],
    ),
  );
