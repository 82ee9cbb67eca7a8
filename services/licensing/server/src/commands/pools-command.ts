// `pools …`: lists pools of codes, generates codes, and exports or withdraws free codes.
import { parseId } from '@counterfoil/kit/http/parameters';
import type { PageOptions } from '@counterfoil/kit/process/command-line/page-options';
import { printRows, printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import type { Command } from 'commander';
import { exportCodes, poolExportColumns } from '../pools/export-codes.ts';
import { maxFreeCodes, presentPool } from '../pools/pool.ts';
import type { PoolToChange } from '../pools/pool-audit.ts';
import { listPools } from '../pools/queries.ts';
import { refillPool } from '../pools/refill-pool.ts';
import { withdrawPool } from '../pools/withdraw-pool.ts';
import { writeRows } from '../transfer/write-rows.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import {
  addWorkspaceCommand,
  addWorkspaceList,
  type CommandTools,
  type OfWorkspace,
  runInWorkspace,
  type Tools,
} from './tools.ts';

export function addPoolCommands(program: Command, tools: CommandTools): void {
  const pools = program.command('pools').description('Manage the pools of codes of a workspace.');
  addWorkspaceList(pools)
    .description('List pools, newest first, with the numbers of their codes.')
    .action((given: OfWorkspace & PageOptions) => list(tools, given));
  addWorkspaceCommand(pools, 'generate')
    .argument('<pool-id>')
    .description('Generate codes until a pool has the given number of free codes.')
    .requiredOption('--free <number>', 'the number of free codes that the pool has afterwards')
    .action((id: string, given: OfWorkspace & { free: string }) =>
      runOnPool(tools, { id, given }, (opened, target) => generate(tools, given, { ...opened, target })),
    );
  addWorkspaceCommand(pools, 'export')
    .argument('<pool-id>')
    .argument('[file]')
    .description('Write the free codes of a pool as CSV. Without a file, CSV is written to standard output.')
    .action((id: string, file: string | undefined, given: OfWorkspace) => {
      if (given.json && file === undefined)
        throw new CommandRefused('--json describes the written file: name a file, or leave out --json');
      return runOnPool(tools, { id, given }, ({ db, config: { masterKey } }, target) =>
        exportPool(tools, given, { file, rows: exportCodes({ db, masterKey }, target) }),
      );
    });
  addWorkspaceCommand(pools, 'withdraw')
    .argument('<pool-id>')
    .description('Withdraw the free codes of a pool. This is final.')
    .action((id: string, given: OfWorkspace) =>
      runOnPool(tools, { id, given }, async ({ db }, target) => {
        const { pool, withdrawn } = await withdrawPool(db, target);
        const json = { pool: presentPool(pool), withdrawn };
        printSentence(tools, given, { json, sentence: `${countCodes(withdrawn)} withdrawn.` });
      }),
    );
}

const countCodes = (count: number) =>
  count === 1 ? '1 code was' : `${count.toLocaleString('en')} codes were`;

const runOnPool = (
  tools: CommandTools,
  { id, given }: { id: string; given: OfWorkspace },
  work: (opened: Tools, target: PoolToChange) => Promise<void>,
): Promise<void> =>
  runInWorkspace(tools, given, ({ caller, ...opened }) =>
    work(opened, { caller, poolId: parseId(id), now: new Date() }),
  );

const list = (tools: CommandTools, given: OfWorkspace & PageOptions): Promise<void> =>
  runInWorkspace(tools, given, async ({ db, caller: { workspaceId } }) => {
    const page = readPage(given);
    const found = await listPools(db, { workspaceId }, page);
    const { next_cursor } = presentNext(page, found, ({ id }) => [id]);
    printRows(tools, given, {
      json: { pools: found.map(presentPool), next_cursor: next_cursor ?? null },
      head: ['ID', 'NAME', 'ITEM', 'FREE', 'ASSIGNED', 'WITHDRAWN', 'LOW'],
      keep: ['ID', 'FREE'],
      rows: found.map((pool) => [
        String(pool.id),
        pool.name,
        String(pool.itemId),
        String(pool.freeCount),
        String(pool.assignedCount),
        String(pool.withdrawnCount),
        pool.lowStockAt ? 'yes' : 'no',
      ]),
      next: next_cursor,
    });
  });

async function generate(
  tools: CommandTools,
  given: OfWorkspace & { free: string },
  { db, config, target }: Tools & { target: PoolToChange },
): Promise<void> {
  const free = Number(given.free);
  if (!/^\d{1,6}$/.test(given.free) || free < 1 || free > maxFreeCodes)
    throw new CommandRefused(`--free takes a number from 1 to ${maxFreeCodes}`);
  const wanted = { ...target, free, most: maxFreeCodes };
  const { pool, generated } = await refillPool({ db, masterKey: config.masterKey }, wanted);
  const json = { pool: presentPool(pool), generated };
  printSentence(tools, given, { json, sentence: `${countCodes(generated)} generated.` });
}

async function exportPool(
  tools: CommandTools,
  given: OfWorkspace,
  { file, rows }: { file: string | undefined; rows: ReturnType<typeof exportCodes> },
): Promise<void> {
  await writeRows(await rows, { file, format: 'csv', columns: poolExportColumns });
  if (given.json) tools.print(JSON.stringify({ file, format: 'csv' }));
}
