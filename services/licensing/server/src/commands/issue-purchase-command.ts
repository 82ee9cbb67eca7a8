// `purchases issue`: records a sale and prints the code that its buyer gets.

import { parseId } from '@counterfoil/kit/http/parameters';
import { isPrintable } from '@counterfoil/kit/http/text';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { type Command, Option } from 'commander';
import { recordSale } from '../purchases/management/issue-purchase.ts';
import { maxBuyerNameLength } from '../purchases/management/purchase-input.ts';
import { type LicenseType, licenseTypes } from '../purchases/purchase.ts';
import { printPurchase } from './print-purchase.ts';
import { addWorkspaceCommand, type CommandTools, type OfWorkspace, runInWorkspace } from './tools.ts';

interface Given extends OfWorkspace {
  readonly item: string;
  readonly license?: LicenseType;
  readonly price?: string;
  readonly currency?: string;
  readonly date?: string;
  readonly supportedUntil?: string;
  readonly buyerName?: string;
  readonly buyerEmail?: string;
  readonly idempotencyKey?: string;
}

export function addPurchaseIssue(purchases: Command, tools: CommandTools): void {
  addWorkspaceCommand(purchases, 'issue')
    .description('Record a sale and print its code.')
    .requiredOption('--item <id>', 'the item that was sold')
    .addOption(new Option('--license <type>', 'the license that was sold').choices([...licenseTypes]))
    .option('--price <amount>', "the price that was paid; by default the item's price")
    .option('--currency <code>', "the currency; by default the item's currency")
    .option('--date <moment>', 'the time of the sale in ISO 8601; by default now')
    .option('--supported-until <moment>', 'the end of support; the workspace has a default length')
    .option('--buyer-name <name>', "the buyer's name")
    .option('--buyer-email <email>', "the buyer's e-mail")
    .option('--idempotency-key <key>', 'repeating the command with this key prints the same purchase')
    .action((given: Given) => issue(tools, given));
}

async function issue(tools: CommandTools, given: Given): Promise<void> {
  const input = readInput(given);
  await runInWorkspace(tools, given, async ({ db, config, caller }) => {
    const { idempotencyKey } = given;
    const sale = { caller, input, itemId: parseId(given.item), idempotencyKey, now: () => new Date() };
    const purchase = await db.transaction((tx) => recordSale(tx, config.masterKey, sale));
    printPurchase(tools, { ...given, withCode: true }, { purchase, config });
  });
}

/** Checks the fields by the rules of the API. The error messages contain the names of the options. */
function readInput(given: Given) {
  const problems: string[] = [];
  const { price, currency, buyerName, buyerEmail, idempotencyKey } = given;
  if (price !== undefined && !/^\d{1,12}(?:\.\d{1,3})?$/.test(price))
    problems.push(`--price ${price} is not an amount such as 19.99`);
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    problems.push(`--currency ${currency} is no currency of ISO 4217`);
  if (buyerName !== undefined && !(isPrintable(buyerName) && buyerName.length <= maxBuyerNameLength))
    problems.push(`--buyer-name needs at most ${maxBuyerNameLength} printable characters`);
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
    problems.push('--idempotency-key needs 1 to 255 characters of ASCII');
  if (problems.length > 0) throw new CommandRefused(problems.join('\n'));
  return {
    item_id: given.item,
    ...(given.license && { license_type: given.license }),
    ...(price !== undefined && { price: Number(price) }),
    ...(currency !== undefined && { currency }),
    ...(given.date !== undefined && { date: given.date }),
    ...(given.supportedUntil !== undefined && { supported_until: given.supportedUntil }),
    ...((buyerName !== undefined || buyerEmail !== undefined) && {
      buyer: {
        ...(buyerName !== undefined && { name: buyerName }),
        ...(buyerEmail !== undefined && { email: buyerEmail }),
      },
    }),
  };
}
