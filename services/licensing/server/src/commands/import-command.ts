// `import purchases|items FILE`: imports the rows of a file into a workspace. Importing the same file again
// changes nothing.
import { noteOf, printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { openProgress } from '@counterfoil/kit/process/progress';
import { type Command, Option } from 'commander';
import { getAccount } from '../accounts/queries.ts';
import type { Caller } from '../audit/audit-event.ts';
import { type ImportOptions, importItems } from '../items/import/import-items.ts';
import { itemFields } from '../items/import/item-row.ts';
import { importPurchases } from '../purchases/import/import-purchases.ts';
import { openPurchaseRows } from '../purchases/import/open-purchase-rows.ts';
import { type PresetName, presetCaution, presetNames } from '../purchases/import/presets.ts';
import { purchaseFields } from '../purchases/import/purchase-row.ts';
import type { ImportCounts, ImportWatcher } from '../transfer/batches.ts';
import { type Format, formatOf, type OpenRows, openRows, parseMap } from '../transfer/open-rows.ts';
import { openProblemReport } from '../transfer/problem-report.ts';
import { maxCountedColumns, type UnknownColumn } from '../transfer/unknown-columns.ts';
import {
  addWorkspaceCommand,
  type CommandTools,
  formatOption,
  type OfWorkspace,
  runInWorkspace,
  type Tools,
} from './tools.ts';

interface Given extends OfWorkspace {
  readonly map: string[];
  readonly preset?: PresetName;
  readonly format?: Format;
  readonly delimiter: string;
  readonly dryRun: boolean;
  readonly update: boolean;
  readonly errors?: string;
}

interface Kind {
  readonly name: string;
  readonly fields: readonly string[];
  readonly open: (file: string, given: Given & { format: Format }) => Promise<OpenRows>;
  readonly run: (
    tools: Tools,
    open: OpenRows,
    job: Omit<ImportOptions, 'workspaceCurrency'>,
  ) => Promise<ImportCounts>;
}

const kinds: readonly Kind[] = [
  {
    name: 'purchases',
    fields: purchaseFields,
    open: openPurchaseRows,
    run: ({ db, config }, { rows }, job) => importPurchases({ db, masterKey: config.masterKey }, rows, job),
  },
  {
    name: 'items',
    fields: itemFields,
    open: (file, { format, delimiter, map }) =>
      openRows(file, { format, delimiter, fields: itemFields, map: parseMap(map, itemFields) }),
    run: async ({ db }, { rows }, job) => {
      const { currency: workspaceCurrency } = await getAccount(db, job.workspaceId);
      return importItems(db, rows, { ...job, workspaceCurrency });
    },
  },
];

export function addImportCommand(program: Command, tools: CommandTools): void {
  const command = program.command('import').description('Import the rows of a file into a workspace.');
  for (const kind of kinds) {
    const verb = addWorkspaceCommand(command, kind.name);
    if (kind.name === 'purchases') verb.addOption(presetOption());
    verb
      .description(
        `Import ${kind.name} from CSV or NDJSON. ` +
          'Rows that exist already stay unchanged, except with --update.\n' +
          `Fields: ${kind.fields.join(', ')}.`,
      )
      .argument('<file>')
      .option('--map <field=column...>', 'our field and the column of the file that contains it', [])
      .addOption(formatOption())
      .option('--delimiter <character>', 'the character between the cells of a CSV file', ',')
      .option('--dry-run', 'check every row and change nothing', false)
      .option('--update', 'overwrite rows that differ instead of reporting them', false)
      .option('--errors <file>', 'write every problem to this file, as CSV')
      .action((file: string, given: Given) =>
        runInWorkspace(tools, given, (opened) =>
          importFile({ ...tools, ...opened }, file, { ...given, kind }),
        ),
      );
  }
}

const presetOption = () =>
  new Option('--preset <marketplace>', `the marketplace that wrote the file (${presetCaution})`).choices(
    presetNames,
  );

async function importFile(
  tools: CommandTools & Tools & { caller: Caller },
  file: string,
  given: Given & { kind: Kind },
): Promise<void> {
  const { kind, update, dryRun } = given;
  const { workspaceId } = tools.caller;
  if (!/^[^"\r\n]$/u.test(given.delimiter))
    throw new CommandRefused('a delimiter is one character, neither a quote nor a line break');
  const open = await kind.open(file, { ...given, format: given.format ?? formatOf(file) });
  const report = await openProblemReport(given.errors, file);
  const progress = openProgress(process.stderr);
  const watcher: ImportWatcher = {
    onProblem: report.add,
    onProgress: ({ read }) => progress.show({ part: open.part(), rows: read }),
  };
  const startedAt = performance.now();
  const job = { workspaceId, update, dryRun, watcher, now: () => new Date() };
  const counts = await kind.run(tools, open, job).finally(() => progress.finish());
  const seconds = (performance.now() - startedAt) / 1000;
  printSentence(tools, given, {
    json: {
      dry_run: dryRun,
      ...counts,
      seconds: Number(seconds.toFixed(3)),
      unknown_columns: open.unknownColumns(),
      unknown_column_count: open.unknownColumnCount(),
    },
    sentence: `${dryRun ? 'A dry run, nothing was changed: ' : ''}${describe(counts, seconds)}`,
  });
  const note = given.json ? noteOf(tools) : tools.print;
  for (const sentence of describeUnknownColumns(open)) note(`  ${sentence}`);
  await report.finish(note);
  if (counts.invalid + counts.conflicts > 0) process.exitCode = 1;
}

function describeUnknownColumns(open: OpenRows): string[] {
  const sentences = open.unknownColumns().map(describeUnknown);
  const more = open.unknownColumnCount() - sentences.length;
  if (more === 0) return sentences;
  const atLeast = open.unknownColumnCount() === maxCountedColumns ? 'at least ' : '';
  const columns = `${more.toLocaleString('en')} more ${more === 1 ? 'column' : 'columns'}`;
  return [...sentences, `… and ${atLeast}${columns}.`];
}

function describeUnknown({ column, position, second_for, nearest }: UnknownColumn): string {
  if (position !== undefined) return `Column ${position} has no heading and was ignored.`;
  if (column === '') return 'A field without a name was ignored.';
  if (second_for !== undefined)
    return `The column ${JSON.stringify(column)} is a second column for ${second_for}.`;
  const guess = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `The column ${JSON.stringify(column)} is unknown and was ignored.${guess}`;
}

function describe(counts: ImportCounts, seconds: number): string {
  const number = (n: number) => n.toLocaleString('en');
  const parts = [
    `${number(counts.inserted)} new`,
    `${number(counts.updated)} updated`,
    `${number(counts.unchanged)} unchanged`,
    `${number(counts.conflicts)} in conflict`,
    `${number(counts.invalid)} invalid`,
  ];
  const rows = counts.read === 1 ? 'row' : 'rows';
  return `${number(counts.read)} ${rows} in ${seconds.toFixed(1)} s: ${parts.join(', ')}.`;
}
