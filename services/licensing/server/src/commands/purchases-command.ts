// `purchases …` and `erase-buyer`: lists, shows, issues and refunds purchases, and erases buyers.

import { parseEmail } from '@counterfoil/identity/members/person';
import { parseId } from '@counterfoil/kit/http/parameters';
import { formatMinor } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { PageOptions } from '@counterfoil/kit/process/command-line/page-options';
import { printRows } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Command, Option } from 'commander';
import { eraseBuyer } from '../buyers/erase-buyer.ts';
import { blockPurchase, unblockPurchase } from '../purchases/management/block-purchase.ts';
import {
  cancelPurchase,
  disputePurchase,
  refundPurchase,
  winDispute,
} from '../purchases/management/change-purchase.ts';
import { type ManagedPurchase, presentListedPurchase } from '../purchases/management/managed-purchase.ts';
import { getPurchase, listPurchases } from '../purchases/management/queries.ts';
import { type PurchaseState, purchaseStates } from '../purchases/purchase.ts';
import type { PurchaseToChange } from '../purchases/purchase-event.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import { addPurchaseIssue } from './issue-purchase-command.ts';
import { printPurchase, type Shown } from './print-purchase.ts';
import {
  addWorkspaceCommand,
  addWorkspaceList,
  type CommandTools,
  findCaller,
  type OfWorkspace,
  parseNumber,
  runChange,
  runInWorkspace,
} from './tools.ts';

interface Filter {
  readonly buyerEmail?: string;
  readonly buyerName?: string;
  readonly item?: string;
  readonly state?: PurchaseState;
}

export function addPurchaseCommands(program: Command, tools: CommandTools): void {
  const purchases = program.command('purchases').description('Manage the purchases of a workspace.');
  addWorkspaceList(purchases)
    .description('List purchases, newest first; codes are masked.')
    .option('--buyer-email <email>', 'only purchases of this buyer')
    .option('--buyer-name <text>', "only purchases whose buyer's name begins with this text")
    .option('--item <id>', 'only purchases of this item')
    .addOption(new Option('--state <state>', 'only purchases in this state').choices([...purchaseStates]))
    .action((given: OfWorkspace & PageOptions & Filter) => list(tools, given));
  /** Reads or changes the purchase. The command then prints the purchase. */
  type RunOnPurchase = (tx: Tx, target: PurchaseToChange) => Promise<ManagedPurchase>;
  const add = (verb: string, description: string, run: RunOnPurchase) =>
    addWorkspaceCommand(purchases, verb)
      .argument('<purchase-id>')
      .description(description)
      .action((id: string, given: Shown) =>
        runInWorkspace(tools, given, async ({ db, config, caller }) => {
          const target = { caller, purchaseId: parseId(id), now: new Date() };
          const purchase = await db.transaction((tx) => run(tx, target));
          printPurchase(tools, given, { purchase, config });
        }),
      );
  const show: RunOnPurchase = (tx, { caller, purchaseId }) => getPurchase(tx, { ...caller, purchaseId });
  const withCode = 'show the full code, which anyone who reads it can use';
  add('show', 'Show a purchase.', show).option('--with-code', withCode);
  addPurchaseIssue(purchases, tools);
  add('refund', 'Refund a purchase. This is final.', refundPurchase);
  add('cancel', 'Cancel a purchase. This is final.', cancelPurchase);
  add('dispute', 'Open a dispute.', disputePurchase);
  add('dispute-won', 'Activate a purchase after a won dispute.', winDispute);
  add('block', 'Block a purchase whose code is abused.', blockPurchase);
  add('unblock', 'Remove the block of a purchase.', unblockPurchase);
}

function readEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw new CommandRefused(`--buyer-email ${text} is not an e-mail`);
  return email;
}

const list = (tools: CommandTools, given: OfWorkspace & PageOptions & Filter): Promise<void> =>
  runInWorkspace(tools, given, async ({ db, caller: { workspaceId } }) => {
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

export function addEraseBuyerCommand(program: Command, tools: CommandTools): void {
  addWorkspaceCommand(program, 'erase-buyer')
    .description("Erase a buyer's name and e-mail from a workspace's purchases, permanently.")
    .option('--email <email>', "the buyer's e-mail")
    .option('--purchase <id>', 'erase the buyer of this purchase only, instead of --email')
    .action((given: OfWorkspace & { email?: string; purchase?: string }) =>
      runChange(tools, given, async (tx) => {
        const caller = await findCaller(tx, given);
        const { email } = given;
        const purchaseId = given.purchase === undefined ? undefined : parseNumber('purchase', given.purchase);
        const count = await eraseBuyer(tx, { caller, email, purchaseId, now: new Date() });
        const sentence = `The buyer was erased from ${count} ${count === 1 ? 'purchase' : 'purchases'}.`;
        return { json: { purchases: count }, sentence };
      }),
    );
}
