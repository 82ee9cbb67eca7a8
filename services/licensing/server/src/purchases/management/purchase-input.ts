// The input of a sale: its fields, their limits, the conversion to the domain, and the Idempotency-Key.

import { createHmac } from 'node:crypto';
import { parseEmail } from '@counterfoil/identity/members/person';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { isSameSecond } from '@counterfoil/kit/http/answers';
import { momentOrNoneForm } from '@counterfoil/kit/http/openapi/forms';
import { named, shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { mailOrNoneForm, notBlankForm, PrintableText } from '@counterfoil/kit/http/text';
import { isCurrency } from '@counterfoil/kit/money';
import { type Static, Type } from 'typebox';
import type { Item } from '../../items/item.ts';
import {
  type Amount,
  describeAmount,
  Moment,
  momentRule,
  Price,
  parseMoment,
  readAmount,
} from '../../wire/input.ts';
import { Problems } from '../../wire/refusals.ts';
import { maxCodeLength, parseCode } from '../code.ts';
import { addMonths, licenseTypes } from '../purchase.ts';
import type { NewPurchase } from './issue-purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';

export const maxBuyerNameLength = 200;

export const BuyerInput = Type.Partial(
  Type.Object({
    name: PrintableText({ max: maxBuyerNameLength }),
    email: shownAs(Type.String({ maxLength: 254 }), mailOrNoneForm(254)),
  }),
);

export const NewPurchaseInput = named(
  'NewPurchase',
  Type.Object({
    item_id: Type.Union([
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ pattern: '^[1-9][0-9]{0,17}$' }),
    ]),
    purchase_code: Type.Optional(
      shownAs(
        Type.String({
          maxLength: 200,
          description: "The seller's own; one is made where none is given.",
        }),
        notBlankForm(maxCodeLength),
      ),
    ),
    license_type: Type.Optional(Type.Enum([...licenseTypes])),
    price: Type.Optional(Price("What was paid; else the item's price.")),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    date: Type.Optional(Moment),
    supported_until: Type.Optional(
      shownAs(
        Type.String({
          maxLength: 40,
          description:
            'ISO 8601; "" is without support. Where it is left out, the workspace’s `support_months` count.',
          examples: ['2026-11-04T10:00:00Z'],
        }),
        momentOrNoneForm,
      ),
    ),
    buyer: Type.Optional(BuyerInput),
  }),
);

type Input = Static<typeof NewPurchaseInput>;

const fieldNames = Object.keys(NewPurchaseInput.properties).sort();
const buyerFieldNames = Object.keys(NewPurchaseInput.properties.buyer.properties).sort();

/** One text for equal input, whatever the order of the fields; unknown fields are ignored. */
export const describeSale = (input: Input): string =>
  describe(input, fieldNames, (name, value) => {
    if (name === 'buyer') return describe(value as object, buyerFieldNames);
    return name === 'price' ? describeAmount(value as Amount) : JSON.stringify(value);
  });

const describe = (
  value: object,
  names: readonly string[],
  write: (name: string, value: unknown) => string = (_name, each) => JSON.stringify(each),
): string => {
  const given = value as Record<string, unknown>;
  const fields = names.filter((name) => given[name] !== undefined);
  return `{${fields.map((name) => `${JSON.stringify(name)}:${write(name, given[name])}`).join()}}`;
};

export function readSale(
  input: Input,
  item: Item,
  { now, supportMonths }: { now: Date; supportMonths: number },
): NewPurchase & { currency: string } {
  const problems = new Problems();
  const moment = (field: string, text: string | undefined) =>
    text === undefined ? undefined : (parseMoment(text) ?? problems.add(field, momentRule));
  const code = input.purchase_code === undefined ? undefined : parseCode(input.purchase_code);
  if (input.purchase_code !== undefined && code === undefined)
    problems.add('purchase_code', 'must have 1 to 128 printable characters.');
  const email = input.buyer?.email || undefined;
  const buyerEmail = email === undefined ? undefined : parseEmail(email);
  if (email !== undefined && buyerEmail === undefined)
    problems.add('buyer.email', 'must be an e-mail address.');
  const currency = input.currency ?? item.currency;
  const licenseType = input.license_type ?? 'Regular';
  const priceMinor = readPrice(problems, { input, item, currency, licenseType });
  const purchasedAt = moment('date', input.date) ?? now;
  const end = input.supported_until;
  const byDefault = supportMonths > 0 ? addMonths(purchasedAt, supportMonths) : undefined;
  const named = end === '' ? undefined : moment('supported_until', end);
  const supportedUntil = end === undefined ? byDefault : named;
  problems.throwIfAny();
  return {
    workspaceId: item.workspaceId,
    itemId: item.id,
    licenseType,
    priceMinor,
    currency,
    purchasedAt,
    recordedAt: now,
    ...(code !== undefined && { code }),
    ...(supportedUntil && { supportedUntil }),
    ...(input.buyer?.name && { buyerName: input.buyer.name }),
    ...(buyerEmail !== undefined && { buyerEmail }),
  };
}

function readPrice(
  problems: Problems,
  given: { input: Input; item: Item; currency: string; licenseType: string },
): bigint {
  const { input, item, currency } = given;
  if (!isCurrency(currency)) problems.add('currency', 'must be a currency of ISO 4217.');
  else if (input.price !== undefined)
    return readAmount(problems, { field: 'price', amount: input.price, currency }) ?? 0n;
  else if (currency !== item.currency)
    problems.add('price', "must be given where the currency is not the item's.");
  else if (given.licenseType === 'Extended' && isNotSold(item))
    problems.add('price', 'must be given: the item has no extended price.');
  return given.licenseType === 'Extended' ? item.priceExtendedMinor : item.priceRegularMinor;
}

/** An extended price of 0 means free only if the item is free. */
const isNotSold = (item: Item) => item.priceExtendedMinor === 0n && item.priceRegularMinor > 0n;

/** Missing fields are not compared, because their defaults may have changed. */
export function isSameSale(input: Input, sale: NewPurchase, known: ManagedPurchase): boolean {
  return (
    known.itemId === sale.itemId &&
    known.licenseType === sale.licenseType &&
    known.currency === sale.currency &&
    (input.price === undefined || known.priceMinor === sale.priceMinor) &&
    (input.date === undefined || isSameSecond(known.purchasedAt, sale.purchasedAt)) &&
    (input.supported_until === undefined ||
      isSameSecond(known.supportedUntil, sale.supportedUntil)) &&
    (known.buyerErasedAt !== undefined ||
      ((input.buyer?.name === undefined || known.buyerName === sale.buyerName) &&
        (input.buyer?.email === undefined || known.buyerEmail === sale.buyerEmail)))
  );
}

/** By default the header has the description of the glossary. */
export const IdempotencyHeaders = (description?: string) =>
  Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        ...(description !== undefined && { description }),
      }),
    ),
  });

/** The hash of the Idempotency-Key or of the input. */
export const hashForRepetition = (masterKey: MasterKey, text: string): Buffer =>
  createHmac('sha256', masterKey.derive('idempotency-key')).update(text, 'utf8').digest();
