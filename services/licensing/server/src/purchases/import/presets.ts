// The columns of the files that Gumroad and Envato export, and the conversion of their rows.
import { parseCount, parseFlag, toAmount, toLicense, toMoment } from './foreign-cells.ts';

/**
 * The cells of a row in a marketplace's file. The keys are the names of the columns in lower case. A cell is
 * undefined if the file does not have the column.
 */
export type ForeignCells = Readonly<Record<string, string | undefined>>;

/** The values of a row by our field names. */
export type OwnCells = Readonly<Record<string, string>>;

export interface Preset {
  /** The columns that are read. A file may lack some of them. */
  readonly columns: readonly string[];
  /** Other columns that the marketplace writes, in lower case. They are not reported as unknown. */
  readonly otherColumns: readonly string[];
  /** Converts a row. Returns undefined for a row that is not a sale, such as a total, a fee or a renewal. */
  readonly read: (cells: ForeignCells) => OwnCells | undefined;
}

export const presetNames = ['envato', 'gumroad'] as const;
export type PresetName = (typeof presetNames)[number];

/** The presets follow the marketplaces' documentation and code. They were not tested with a real export. */
export const presetCaution = 'unverified: try it with a dry run first';

/** Returns the first value in these columns that is not empty. */
const first = (cells: ForeignCells, names: readonly string[]): string | undefined => {
  const present = names.map((name) => cells[name]).filter((cell) => cell !== undefined);
  return present.find((cell) => cell.trim() !== '') ?? present[0];
};

const withoutAbsent = (fields: Record<string, string | undefined>): OwnCells =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

const map = (cell: string | undefined, change: (text: string) => string) =>
  cell === undefined ? undefined : change(cell);

const gumroadDates = ['purchase time (utc timezone)', 'purchase date'];
const gumroadEmails = ['purchase email', 'buyer email'];
const gumroadStates = [
  'fully refunded?',
  'disputed?',
  'dispute won?',
  'access revoked?',
  'license key enabled?',
];

/** Reads the state of a Gumroad sale. A partial refund does not change the state. */
function readGumroadState(cells: ForeignCells): string | undefined {
  if (gumroadStates.every((name) => cells[name] === undefined)) return undefined;
  const is = (name: string) => parseFlag(cells[name]);
  if (is('fully refunded?')) return 'refunded';
  if (is('disputed?') && !is('dispute won?')) return 'disputed';
  const isDisabled = parseCount(cells['license key enabled?']) === 0;
  return is('access revoked?') || isDisabled ? 'cancelled' : 'active';
}

const gumroadOthers = [
  'item name',
  'do not contact?',
  'subtotal ($)',
  'taxes ($)',
  'tax type',
  'shipping ($)',
  'fees ($)',
  'net total ($)',
  'tip ($)',
  'tax included in price?',
  'street address',
  'city',
  'zip code',
  'state',
  'country',
  'referrer',
  'refunded?',
  'partial refund ($)',
  'discount code',
  'free trial purchase?',
  'pre-order authorization?',
  'pre-order authorization time (utc timezone)',
  'order number',
  'custom fields',
  'item price ($)',
  'variants price ($)',
  'giftee email',
  'sku id',
  'quantity',
  'recurrence',
  'affiliate',
  'affiliate commission ($)',
  'discover?',
  'cancellation date',
  'subscription end date',
  'rating',
  'review',
  'license key activation count',
  'payment type',
  'paypal transaction id',
  'paypal fee amount',
  'paypal fee currency',
  'stripe transaction id',
  'stripe fee amount',
  'stripe fee currency',
  'purchasing power parity discounted?',
  'upsold?',
  'sent abandoned cart email?',
  'utm source',
  'utm medium',
  'utm campaign',
  'utm term',
  'utm content',
  'buyer currency',
  'buyer total',
  'buyer refunded total',
];

const gumroad: Preset = {
  otherColumns: gumroadOthers,
  columns: [
    'purchase id',
    'license key',
    'product id',
    'sale price ($)',
    'variants',
    'buyer name',
    'recurring charge?',
    ...gumroadDates,
    ...gumroadEmails,
    ...gumroadStates,
  ],
  read: (cells) => {
    const isTotals = cells['purchase id']?.trim() === 'Totals';
    // A renewal is skipped, because it has the same licence key as the original sale. The row of totals is no
    // sale.
    if (isTotals || parseFlag(cells['recurring charge?'])) return undefined;
    return withoutAbsent({
      code: cells['license key'],
      item_external_id: cells['product id'],
      price: map(cells['sale price ($)'], toAmount),
      // The file contains all amounts in dollars.
      currency: 'USD',
      date: map(first(cells, gumroadDates), toMoment),
      state: readGumroadState(cells),
      license_type: map(cells.variants, (text) => (/extended/i.test(text) ? 'Extended' : 'Regular')),
      buyer_name: cells['buyer name'],
      buyer_email: first(cells, gumroadEmails),
    });
  },
};

const envatoColumns = {
  code: ['purchase code', 'purchase_code', 'code'],
  item: ['item id', 'item_id', 'item.id'],
  price: ['price', 'amount'],
  currency: ['currency'],
  date: ['sold at', 'sold_at', 'purchase date', 'date'],
  license: ['license', 'licence', 'license type', 'license_type'],
  support: ['supported until', 'supported_until'],
  buyer: ['buyer', 'buyer username', 'buyer_username'],
  email: ['buyer email', 'buyer_email', 'email'],
  type: ['type'],
} as const;

/**
 * The types of rows that describe a purchase, each with the state of the purchase. A row without a type is a
 * sale. Rows of other types, such as fees, payouts and corrections, are skipped.
 */
const envatoStates: Readonly<Record<string, string>> = {
  '': 'active',
  sale: 'active',
  'sale refund': 'refunded',
  refund: 'refunded',
  'sale reversal': 'disputed',
  reversal: 'disputed',
};

/**
 * Further columns of Envato's statements, and further fields of sales in Envato's API. The import ignores
 * these columns, and does not report them as unknown.
 */
const envatoOthers = [
  'order id',
  'detail',
  'document',
  'au gst',
  'eu vat',
  'us rwt',
  'us bwt',
  'site',
  'other party country',
  'other party region',
  'other party city',
  'other party zipcode',
  'item',
  'item name',
  'item.name',
  'support_amount',
  'purchase_count',
];

const envato: Preset = {
  otherColumns: envatoOthers,
  columns: Object.values(envatoColumns).flat(),
  read: (cells) => {
    const type = first(cells, envatoColumns.type);
    const state = envatoStates[type?.trim().toLowerCase() ?? ''];
    if (state === undefined) return undefined;
    return withoutAbsent({
      code: first(cells, envatoColumns.code),
      item_external_id: first(cells, envatoColumns.item),
      price: map(first(cells, envatoColumns.price), toAmount),
      currency: first(cells, envatoColumns.currency) ?? 'USD',
      date: map(first(cells, envatoColumns.date), toMoment),
      state: type === undefined ? undefined : state,
      license_type: map(first(cells, envatoColumns.license), toLicense),
      supported_until: map(first(cells, envatoColumns.support), toMoment),
      buyer_name: first(cells, envatoColumns.buyer),
      buyer_email: first(cells, envatoColumns.email),
    });
  },
};

export const presets: Readonly<Record<PresetName, Preset>> = { envato, gumroad };
