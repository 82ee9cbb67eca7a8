// `items …`: lists, shows, publishes and withdraws items.
import { parseId } from '@counterfoil/kit/http/parameters';
import { formatMinor } from '@counterfoil/kit/money';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { PageOptions } from '@counterfoil/kit/process/command-line/page-options';
import { printFields, printRows } from '@counterfoil/kit/process/command-line/print';
import { type Command, Option } from 'commander';
import { type Item, type ItemKind, type ItemState, itemKinds, itemStates } from '../items/item.ts';
import { type ItemToChange, publishItem, withdrawItem } from '../items/management/change-item.ts';
import { presentManagedItems } from '../items/management/managed-item.ts';
import { getOwnItem, listOwnItems } from '../items/management/queries.ts';
import { countCodes } from '../purchases/management/queries.ts';
import { readPage } from '../wire/paging.ts';
import {
  addWorkspaceCommand,
  addWorkspaceList,
  type CommandTools,
  type OfWorkspace,
  runInWorkspace,
} from './tools.ts';

interface Filter {
  readonly search?: string;
  readonly state?: ItemState;
  readonly kind?: ItemKind;
}

export function addItemCommands(program: Command, tools: CommandTools): void {
  const items = program.command('items').description('Manage the items of a workspace.');
  addWorkspaceList(items)
    .description('List items, newest first.')
    .option('--search <text>', 'only items with this text in the name, or with this tag')
    .addOption(new Option('--state <state>', 'only items in this state').choices([...itemStates]))
    .addOption(new Option('--kind <kind>', 'only items of this kind').choices([...itemKinds]))
    .action((given: OfWorkspace & PageOptions & Filter) => list(tools, given));
  /** Adds a command. `run` reads or changes the item; the command then prints the item. */
  const add = (verb: string, description: string, run: (tx: Tx, target: ItemToChange) => Promise<Item>) =>
    addWorkspaceCommand(items, verb)
      .argument('<item-id>')
      .description(description)
      .action((id: string, given: OfWorkspace) =>
        runInWorkspace(tools, given, async ({ db, caller }) => {
          const target = { caller, itemId: parseId(id), now: new Date() };
          const item = await db.transaction((tx) => run(tx, target));
          await print(tools, given, { db, item });
        }),
      );
  add('show', 'Show an item in any state.', (tx, { caller, itemId }) =>
    getOwnItem(tx, { ...caller, itemId }),
  );
  add('publish', 'Publish a draft or withdrawn item.', publishItem);
  add('withdraw', 'Withdraw an item from sale.', withdrawItem);
}

const list = (tools: CommandTools, given: OfWorkspace & PageOptions & Filter): Promise<void> =>
  runInWorkspace(tools, given, async ({ db, caller: { workspaceId } }) => {
    const { search, state, kind } = given;
    const found = await listOwnItems(db, { workspaceId, search, state, kind }, readPage(given));
    const next = found.nextId === undefined ? null : String(found.nextId);
    const items = await presentManagedItems(db, countCodes, found.items);
    printRows(tools, given, {
      json: { items, next_cursor: next },
      head: ['ID', 'NAME', 'KIND', 'STATE', 'VERSION', 'PRICE', ''],
      keep: ['ID', 'STATE'],
      rows: found.items.map((item) => [
        String(item.id),
        item.name,
        item.kind,
        item.state,
        item.version,
        formatMinor(item.priceRegularMinor, item.currency),
        item.currency,
      ]),
      next,
    });
  });

async function print(
  tools: CommandTools,
  given: OfWorkspace,
  { db, item }: { db: Queryable; item: Item },
): Promise<void> {
  const [shown] = await presentManagedItems(db, countCodes, [item]);
  if (!shown) return;
  const money = (minor: bigint) => `${formatMinor(minor, item.currency)} ${item.currency}`;
  printFields(tools, given, {
    json: shown,
    title: `${item.name} is ${item.state}.`,
    fields: [
      ['id', String(item.id)],
      ['external id', shown.external_id],
      ['kind', item.kind],
      ['version', item.version],
      ['category', item.category],
      ['tags', item.tags.join(', ')],
      ['regular', money(item.priceRegularMinor)],
      ['extended', money(item.priceExtendedMinor)],
      ['published', shown.published_at || 'never'],
      ...(shown.waiting_codes > 0
        ? [['codes that wait for publication', String(shown.waiting_codes)] as const]
        : []),
      ['updated', shown.updated_at],
    ],
  });
}
