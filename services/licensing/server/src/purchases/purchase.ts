// A purchase of an item: its states, its support, and its fields in the API (specification, section 2).
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { notBlankForm, PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { ItemAnswer } from '../items/item.ts';
import { NamedObject } from '../wire/input.ts';
import { maxCodeLength } from './code.ts';

export const purchaseStates = ['active', 'refunded', 'cancelled', 'disputed'] as const;
export type PurchaseState = (typeof purchaseStates)[number];
export const licenseTypes = ['Regular', 'Extended'] as const;
export type LicenseType = (typeof licenseTypes)[number];

export interface Purchase {
  readonly workspaceId: bigint;
  readonly id: bigint;
  readonly codeHint: string;
  readonly itemId: bigint;
  readonly licenseType: LicenseType;
  readonly priceMinor: bigint;
  readonly currency: string;
  readonly state: PurchaseState;
  readonly supportedUntil: Date | undefined;
  readonly downloadedAt: Date | undefined;
  readonly purchasedAt: Date;
}

/** The states that may follow each state. Refunded and cancelled are final. */
const nextStates: Record<PurchaseState, readonly PurchaseState[]> = {
  active: ['refunded', 'cancelled', 'disputed'],
  disputed: ['active', 'refunded'],
  refunded: [],
  cancelled: [],
};

export const canBecome = (from: PurchaseState, to: PurchaseState): boolean => nextStates[from].includes(to);

/**
 * The state that buyers and their software get. An active purchase that is blocked is answered like a
 * cancelled purchase, because published clients know no other refusal that is a decision of the seller.
 */
export const getPublicState = ({
  state,
  blockedAt,
}: {
  readonly state: PurchaseState;
  readonly blockedAt: Date | undefined;
}): PurchaseState => (state === 'active' && blockedAt ? 'cancelled' : state);

/** Returns an SQL expression for `getPublicState`. `alias` is the alias of the table `purchases`. */
export const publicStateOf = (alias: string): string =>
  `case when ${alias}.state = 'active' and ${alias}.blocked_at is not null then 'cancelled'
     else ${alias}.state end`;

/** The schema of a purchase code in a request that checks the code. */
export const CodeInput = shownAs(
  PrintableText({
    min: 1,
    max: maxCodeLength,
    description: 'Surrounding spaces and letter case do not matter.',
    examples: ['86781236-23d0-4b3c-7dfa-c1c147e0dece'],
  }),
  notBlankForm(maxCodeLength),
);

/** The schema of a whole purchase code in a management request. */
export const CodeText = (description: string) =>
  shownAs(Type.String({ maxLength: 200, description }), notBlankForm(maxCodeLength));

export const PurchaseAnswer = NamedObject('Purchase', {
  purchase_code: Type.String({ description: 'The code that was validated.' }),
  license_type: Type.Union([Type.Literal('Regular'), Type.Literal('Extended')]),
  price: Type.Number({ description: 'The price paid at the sale.' }),
  currency: Type.String(),
  item: ItemAnswer,
  supported_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Absent without support; may be in the past.' }),
  ),
  downloaded: Type.Boolean(),
  date: Type.String({ format: 'date-time' }),
});

/** The latest date that `momentRule` accepts. */
const latest = new Date('9998-12-31T23:59:59Z');

/**
 * Adds months to a time. The day of the month and the time of day stay the same. If the new month does not
 * have this day, the result is the last day of the new month. The result is never later than `latest`.
 */
export function addMonths(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  // If the new month lacks this day, JavaScript continues into the next month: April 31 becomes May 1.
  // Setting the day to 0 then gives April 30, the last day of the new month.
  if (end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  return end > latest ? latest : end;
}
