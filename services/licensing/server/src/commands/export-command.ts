// `export purchases|items`: writes the rows of a workspace for a spreadsheet or another system.
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { openProgress } from '@counterfoil/kit/process/progress';
import type { Command } from 'commander';
import { exportItems } from '../items/import/export-items.ts';
import { itemFields } from '../items/import/item-row.ts';
import { exportPurchases, purchaseExportColumns } from '../purchases/import/export-purchases.ts';
import { type Format, formatOf } from '../transfer/open-rows.ts';
import { type OutRow, writeRows } from '../transfer/write-rows.ts';
import {
  addWorkspaceCommand,
  type CommandTools,
  findCaller,
  formatOption,
  type OfWorkspace,
  type Tools,
} from './tools.ts';

interface Given extends OfWorkspace {
  readonly format?: Format;
  readonly withCodes?: boolean;
}

type Exporter = (
  tools: Tools,
  options: { workspaceId: bigint; withCodes: boolean },
) => { rows: AsyncIterable<OutRow>; columns: readonly string[] };

const purchases: Exporter = ({ db, config }, options) => ({
  rows: exportPurchases({ db, masterKey: config.masterKey }, options),
  columns: purchaseExportColumns(options.withCodes),
});

const items: Exporter = ({ db }, options) => ({ rows: exportItems(db, options), columns: itemFields });

export function addExportCommand(program: Command, tools: CommandTools): void {
  const command = program.command('export').description("Write a workspace's rows to a file.");
  const add = (name: string, description: string, exporter: Exporter) =>
    addWorkspaceCommand(command, name)
      .description(`${description} Without a file, CSV is written to standard output.`)
      .argument('[file]')
      .addOption(formatOption())
      .action((file: string | undefined, given: Given) =>
        tools.run((opened) => exportFile({ ...tools, ...opened }, file, { ...given, exporter })),
      );
  add('purchases', 'Export purchases; codes are masked.', purchases).option(
    '--with-codes',
    'write full codes, which anyone who reads the file can use',
  );
  add('items', 'Export items.', items);
}

async function exportFile(
  tools: CommandTools & Tools,
  file: string | undefined,
  given: Given & { exporter: Exporter },
): Promise<void> {
  if (given.json && file === undefined)
    throw new CommandRefused('--json describes the written file: name a file, or leave out --json');
  const { workspaceId } = await findCaller(tools.db, given);
  const format = given.format ?? (file === undefined ? 'csv' : formatOf(file));
  const withCodes = given.withCodes ?? false;
  const { rows, columns } = given.exporter(tools, { workspaceId, withCodes });
  const progress = openProgress(process.stderr);
  let written = 0;
  async function* countRows() {
    for await (const row of rows) {
      yield row;
      if (++written % 1000 === 0) progress.show({ part: undefined, rows: written });
    }
  }
  await writeRows(countRows(), { file, format, columns });
  progress.finish();
  if (given.json) tools.print(JSON.stringify({ file, format, rows: written }));
}
