// `purchases …`: a workspace's sales, listed, shown, issued, refunded; codes only where asked for.

import { parseEmail } from '@counterfoil/identity/members/person';
import { parseId } from '@counterfoil/kit/http/parameters';
import { formatMinor } from '@counterfoil/kit/money';
import { type PageOptions, withJson } from '@counterfoil/kit/process/command-line/page-options';
import { printRows } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/command-refused';
import { type Command, Option } from 'commander';
import {
  cancelPurchase,
  disputePurchase,
  refundPurchase,
  winDispute,
} from '../purchases/management/change-purchase.ts';
import { getPurchase } from '../purchases/management/get-purchase.ts';
import { listPurchases } from '../purchases/management/list-purchases.ts';
import { presentListedPurchase } from '../purchases/management/managed-purchase.ts';
import { type PurchaseState, purchaseStates } from '../purchases/purchase.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import { addPurchaseIssue } from './issue-purchase-command.ts';
import { printPurchase, type Shown } from './print-purchase.ts';
import {
  type CommandTools,
  findCaller,
  type OfWorkspace,
  withNumberedPage,
  withWorkspace,
} from './tools.ts';

interface Filter {
  readonly buyerEmail?: string;
  readonly buyerName?: string;
  readonly item?: string;
  readonly state?: PurchaseState;
}

const changes = [
  { verb: 'refund', change: refundPurchase, description: 'Refund a purchase; that is final.' },
  { verb: 'cancel', change: cancelPurchase, description: 'Cancel a purchase; that is final.' },
  { verb: 'dispute', change: disputePurchase, description: 'Open a dispute.' },
  { verb: 'dispute-won', change: winDispute, description: 'A dispute was won: active again.' },
];

export function addPurchaseCommands(program: Command, tools: CommandTools): void {
  const purchases = program.command('purchases').description("Workspaces' sales.");
  withNumberedPage(withWorkspace(purchases.command('list')))
    .description('List purchases, newest first; codes are masked.')
    .option('--buyer-email <email>', 'of this buyer')
    .option('--buyer-name <text>', "how the buyer's name begins")
    .option('--item <id>', 'of this item')
    .addOption(new Option('--state <state>', 'in this state only').choices([...purchaseStates]))
    .action((given: OfWorkspace & PageOptions & Filter) => list(tools, given));
  withJson(withWorkspace(purchases.command('show').argument('<purchase-id>')))
    .description('Show a purchase.')
    .option('--with-code', 'show the code too: whoever reads it can use it')
    .action((id: string, given: Shown) =>
      tools.run(async ({ db, config }) => {
        const { workspaceId } = await findCaller(db, given);
        const purchase = await getPurchase(db, { workspaceId, purchaseId: parseId(id) });
        printPurchase(tools, given, { purchase, config });
      }),
    );
  addPurchaseIssue(purchases, tools);
  for (const { verb, change, description } of changes) {
    withJson(withWorkspace(purchases.command(verb).argument('<purchase-id>')))
      .description(description)
      .action((id: string, given: OfWorkspace) =>
        tools.run(async ({ db, config }) => {
          const caller = await findCaller(db, given);
          const target = { caller, purchaseId: parseId(id), now: new Date() };
          const purchase = await db.transaction((tx) => change(tx, target));
          printPurchase(tools, given, { purchase, config });
        }),
      );
  }
}

function readEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw new CommandRefused(`--buyer-email ${text} is not an e-mail`);
  return email;
}

async function list(tools: CommandTools, given: OfWorkspace & PageOptions & Filter): Promise<void> {
  await tools.run(async ({ db }) => {
    const { workspaceId } = await findCaller(db, given);
    const { buyerName, state } = given;
    const buyerEmail = given.buyerEmail === undefined ? undefined : readEmail(given.buyerEmail);
    const itemId = given.item === undefined ? undefined : parseId(given.item);
    const filter = { workspaceId, codeHash: undefined, buyerEmail, buyerName, itemId, state };
    const page = readPage(given);
    const found = await listPurchases(db, filter, page);
    const { next_cursor } = presentNext(page, found, ({ id }) => [id]);
    const shown = found.map(presentListedPurchase);
    printRows(tools, given, {
      json: { purchases: shown, next_cursor: next_cursor ?? null },
      head: ['ID', 'CODE', 'ITEM', 'STATE', 'LICENSE', 'PRICE', '', 'BUYER', 'DATE'],
      keep: ['ID', 'STATE', 'PRICE'],
      rows: found.map((each, i) => [
        String(each.id),
        each.codeHint,
        String(each.itemId),
        each.state,
        each.licenseType,
        formatMinor(each.priceMinor, each.currency),
        each.currency,
        each.buyerEmail ?? each.buyerName ?? '',
        shown[i]?.date ?? '',
      ]),
      next: next_cursor,
    });
  });
}
