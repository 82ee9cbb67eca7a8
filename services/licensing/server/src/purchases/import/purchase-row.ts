// Parses a row of a purchase file, and compares it with the stored purchase.
import { parseEmail } from '@counterfoil/identity/members/person';
import { isSameSecond } from '@counterfoil/kit/http/answers';
import { isPrintable } from '@counterfoil/kit/http/text';
import { parseMinor } from '@counterfoil/kit/money';
import { Cells } from '../../transfer/cells.ts';
import type { Row, RowProblem } from '../../transfer/row.ts';
import { maxCodeLength, parseCode } from '../code.ts';
import type { ManagedPurchase } from '../management/managed-purchase.ts';
import { maxBuyerNameLength } from '../management/purchase-input.ts';
import { canBecome, licenseTypes, purchaseStates } from '../purchase.ts';

export const purchaseFields = [
  'code',
  'item_id',
  'item_external_id',
  'license_type',
  'price',
  'currency',
  'state',
  'date',
  'supported_until',
  'downloaded',
  'buyer_name',
  'buyer_email',
] as const;

/**
 * Column names that are accepted in addition to the names of the fields: the names in our API and events, and
 * the British spelling.
 */
export const purchaseAliases = {
  code: ['purchase_code'],
  date: ['purchased_at'],
  license_type: ['licence_type'],
} as const;

/** A row before its item is loaded. Without a currency, the amount is in the currency of the item. */
export type PurchaseRow = Readonly<ReturnType<typeof parsePurchaseRow>>;

/**
 * A row of the file with its item. `row` refers to the parsed row without copying it, because a file may
 * have millions of rows.
 */
export interface ImportedPurchase {
  readonly row: PurchaseRow;
  readonly itemId: bigint;
  /** Whether the item was published at least once. */
  readonly isItemPublished: boolean;
  readonly priceMinor: bigint;
  readonly currency: string;
}

/** The fields of an item that an import of purchases needs. */
export interface SoldItem {
  readonly id: bigint;
  readonly currency: string;
  readonly isPublished: boolean;
}

export function parsePurchaseRow(row: Row) {
  const cells = new Cells(row);
  const codeText = cells.required('code', maxCodeLength);
  const code = codeText === undefined ? undefined : parseCode(codeText);
  if (codeText !== undefined && code === undefined)
    cells.refuse('code', `must have 1 to ${maxCodeLength} printable characters.`);
  const itemId = cells.id('item_id');
  const itemExternalId = cells.text('item_external_id', 128);
  if (itemId === undefined && itemExternalId === undefined && !cells.problems.some(isOfItem))
    cells.refuse('item_id', 'is missing, and so is item_external_id.');
  const date = cells.required('date', 40);
  const purchasedAt = date === undefined ? undefined : cells.moment('date');
  const email = cells.text('buyer_email', 254);
  const buyerEmail = email === undefined ? undefined : parseEmail(email);
  if (email !== undefined && buyerEmail === undefined)
    cells.refuse('buyer_email', 'must be an e-mail address.');
  const buyerName = cells.text('buyer_name', maxBuyerNameLength);
  if (buyerName !== undefined && !isPrintable(buyerName))
    cells.refuse('buyer_name', 'must be one line of printable characters.');
  return {
    line: row.line,
    /** The problems that can be found without the item. */
    problems: cells.problems,
    code: code ?? '',
    purchasedAt: purchasedAt ?? new Date(0),
    itemId,
    itemExternalId,
    licenseType: cells.oneOf('license_type', licenseTypes, 'Regular'),
    priceText: cells.requiredAmount('price') ?? '',
    currency: cells.currency('currency'),
    state: cells.oneOf('state', purchaseStates, 'active'),
    supportedUntil: cells.moment('supported_until'),
    downloaded: cells.flag('downloaded'),
    buyerName,
    buyerEmail,
    /** Whether the file has the column. Only columns of the file are compared with the stored purchase. */
    has: (field: string) => field in row.cells,
  };
}

const isOfItem = (problem: RowProblem) => problem.field.startsWith('item_');

/** Returns the row with its item, or all problems of the row. */
export function completePurchase(
  row: PurchaseRow,
  item: SoldItem | undefined,
): ImportedPurchase | readonly RowProblem[] {
  const problems = [...row.problems];
  const refuse = (field: string, reason: string) => void problems.push({ line: row.line, field, reason });
  const hasProblem = (field: string) => row.problems.some((problem) => problem.field === field);
  if (!item && !row.problems.some(isOfItem))
    refuse(itemFieldOf(row), 'names an item that does not exist in this workspace.');
  const currency = row.currency ?? (hasProblem('currency') ? undefined : item?.currency);
  const priceMinor = readPrice(row.priceText, currency);
  if (priceMinor === undefined && !hasProblem('price'))
    refuse('price', `must be an exact amount${currency === undefined ? '' : ` in ${currency}`}.`);
  // A row must not add a purchase of an item that was never published. This is reported here only if the row
  // has other problems. A row without other problems is checked later, because it may concern an existing
  // purchase, and an existing purchase may keep such an item.
  if (problems.length > 0 || !item || currency === undefined || priceMinor === undefined) {
    if (item && !item.isPublished) refuse(itemFieldOf(row), neverPublished);
    return problems;
  }
  return { row, itemId: item.id, isItemPublished: item.isPublished, currency, priceMinor };
}

/**
 * If the currency is unknown, the price is checked as an amount in CLF. CLF has four decimals, and no
 * currency has more.
 */
const readPrice = (text: string, currency = 'CLF') => parseMinor(text, currency);

/** The column that names the item of the row. */
export const itemFieldOf = (row: PurchaseRow): string =>
  row.itemId === undefined ? 'item_external_id' : 'item_id';

export const neverPublished = 'names an item that was never published. Publish the item first.';

/** Finds the columns whose values differ from the stored purchase. */
export function findDifferences(known: ManagedPurchase, given: ImportedPurchase): string[] {
  const { row } = given;
  const isBuyerOpen = known.buyerErasedAt === undefined;
  const differs: [string, boolean][] = [
    ['item_id', known.itemId !== given.itemId],
    ['license_type', row.has('license_type') && known.licenseType !== row.licenseType],
    ['price', known.priceMinor !== given.priceMinor],
    ['currency', known.currency !== given.currency],
    ['state', row.has('state') && known.state !== row.state],
    ['date', !isSameSecond(known.purchasedAt, row.purchasedAt)],
    [
      'supported_until',
      row.has('supported_until') && !isSameSecond(known.supportedUntil, row.supportedUntil),
    ],
    // An import can add the record of a download but never remove it. So the row differs only if it reports a
    // download and the stored purchase has none.
    ['downloaded', row.downloaded && known.downloadedAt === undefined],
    // The texts of the row are already trimmed. So the stored text is trimmed too before the comparison.
    [
      'buyer_name',
      isBuyerOpen && row.has('buyer_name') && (known.buyerName?.trim() || undefined) !== row.buyerName,
    ],
    ['buyer_email', isBuyerOpen && row.has('buyer_email') && known.buyerEmail !== row.buyerEmail],
  ];
  return differs.filter(([, is]) => is).map(([field]) => field);
}

/** Returns the reason why an update is refused, or undefined if it is allowed. */
export function refuseUpdate(known: ManagedPurchase, { row }: ImportedPurchase): string | undefined {
  const isBlocked = row.has('state') && known.state !== row.state && !canBecome(known.state, row.state);
  return isBlocked ? `is ${known.state} and cannot become ${row.state}.` : undefined;
}
