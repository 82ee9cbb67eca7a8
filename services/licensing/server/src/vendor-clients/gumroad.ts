// POST /v2/licenses/verify: returns the purchase of a licence key in the format of Gumroad's API.
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import type { Item } from '../items/item.ts';
import { findItem } from '../items/queries.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { refuseField } from '../wire/refusals.ts';
import { selectUses } from './queries.ts';
import { saveUse } from './store.ts';
import {
  base,
  bodyGuards,
  getTerm,
  KeyInPath,
  parseItem,
  refuseAs,
  type SoughtPurchase,
  seekPurchase,
  type ToVendor,
  VendorAnswer,
  type VendorDeps,
} from './vendor-request.ts';

/** The names of the product, in the order in which they apply. Old clients send `id` or `link_id`. */
const productNames = ['product_id', 'id', 'link_id', 'product_permalink'] as const;
const names = ['license_key', ...productNames, 'increment_uses_count'];
const maxInteger = Number.MAX_SAFE_INTEGER;
const ProductId = Type.Union(
  [Type.String({ maxLength: 512 }), Type.Integer({ minimum: 0, maximum: maxInteger })],
  {
    description:
      'The id of the item in this service, or its `external_id`. Any other text is an unknown product.',
  },
);
const Permalink = (description: string) => Type.Optional(Type.String({ maxLength: 512, description }));
const IncrementUses = Type.Union([Type.Boolean(), Type.String({ maxLength: 16 }), Type.Number()], {
  description:
    'With `false` or `"false"`, the verification is not counted in `uses`. With any other value, it is.',
});

/**
 * Converts the forms in which clients send a value to one form. A JSON body may contain the product as a
 * number. As at Gumroad, a blank product or key counts as absent, and each value of `increment_uses_count`
 * except `false` means true.
 */
function convert(name: string, value: unknown): unknown {
  if (name === 'increment_uses_count') {
    const isShort = typeof value === 'string' && value.length <= 16;
    const isKnown = isShort || typeof value === 'number' || typeof value === 'boolean';
    return isKnown ? value !== false && value !== 'false' : value;
  }
  if (value === false || (typeof value === 'string' && value.trim() === '')) return '';
  const isWhole = typeof value === 'number' && value >= 0 && Number.isSafeInteger(value);
  return isWhole && name !== 'license_key' ? String(value) : value;
}

export function registerGumroad(app: App, deps: VendorDeps): void {
  const schema = {
    tags: ['Vendor clients'],
    summary: 'Verify a licence key, as a client of Gumroad',
    description:
      'Counts as a validation. The body may be JSON or a form. `product_id`, `id`, `link_id` or ' +
      '`product_permalink` is the id or the external id of the item. The first of these fields that is ' +
      'given applies. A refunded or disputed purchase has status 200, as from Gumroad. A licence that has ' +
      'ended gets 404 after its grace period.',
    params: KeyInPath,
    consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    body: Type.Object({
      license_key: CodeInput,
      product_id: Type.Optional(ProductId),
      id: Permalink('An old name of `product_permalink`.'),
      link_id: Permalink('An old name of `product_permalink`.'),
      product_permalink: Permalink('Like `product_id`, which takes precedence.'),
      increment_uses_count: Type.Optional(IncrementUses),
    }),
    response: { 200: VendorAnswer, '4xx': ErrorAnswer },
  };
  const hooks = bodyGuards(deps, { vendor: 'gumroad', scope: 'purchases:validate', names, convert });
  app.post(
    `${base}/v2/licenses/verify`,
    { schema, ...hooks, onSend: refuseAs(toGumroad) },
    async (request) => {
      const { body } = request;
      const { license_key: code } = body;
      const [product] = productNames.flatMap((name) => body[name] ?? []).map(String);
      if (product === undefined) throw refuseField('product_id', 'is required.');
      const { workspaceId } = request.apiKey;
      const isWanted = async ({ purchase: { itemId } }: Pick<SoughtPurchase, 'purchase'>) =>
        isProduct(product, await findItem(deps.db, { workspaceId, itemId }));
      const sought = await seekPurchase(deps, request, { field: 'license_key', code, isWanted });
      const { purchase } = sought;
      if (purchase.state === 'cancelled') throw fail('purchase_cancelled');
      const isActive = purchase.state === 'active';
      if (isActive && (await getTerm(deps, request, purchase)).isExpired) throw fail('licence_ended');
      const key = { workspaceId, purchaseId: purchase.id };
      const isCounted = body.increment_uses_count !== false;
      const uses = await (isCounted ? saveUse : selectUses)(deps.db, key);
      return { success: true, uses, purchase: presentPurchase(sought, { workspaceId, product }) };
    },
  );
}

const isProduct = (product: string, item: Item | undefined): boolean =>
  item !== undefined && (product === String(item.id) || product === item.externalId);

/** Returns the product id from the request, because clients compare the answer with the id that they sent. */
function presentPurchase(
  { purchase, itemText, code }: SoughtPurchase,
  { workspaceId, product }: { workspaceId: bigint; product: string },
) {
  const isDisputed = purchase.state === 'disputed';
  return {
    id: String(purchase.id),
    sale_id: String(purchase.id),
    order_number: Number(purchase.id),
    seller_id: String(workspaceId),
    product_id: product,
    product_name: parseItem(itemText).name,
    permalink: product,
    product_permalink: product,
    email: '',
    license_key: code,
    price: Number(purchase.priceMinor),
    currency: purchase.currency.toLowerCase(),
    quantity: 1,
    variants: `(${purchase.licenseType})`,
    custom_fields: [],
    sale_timestamp: purchase.purchasedAt,
    created_at: purchase.purchasedAt,
    is_multiseat_license: false,
    is_gift_receiver_purchase: false,
    recurrence: null,
    refunded: purchase.state === 'refunded',
    disputed: isDisputed,
    dispute_won: false,
    chargebacked: isDisputed,
    subscription_ended_at: null,
    subscription_cancelled_at: null,
    subscription_failed_at: null,
  };
}

const messages: Readonly<Record<string, string | undefined>> = {
  purchase_not_found: 'That license does not exist for the provided product.',
  purchase_cancelled: 'This license key has been disabled.',
  licence_ended: 'Access to the purchase associated with this license has expired.',
};

const toGumroad: ToVendor = ({ code, status, msg }) => ({
  status: code === 'licence_ended' ? 404 : status,
  fields: { success: false, message: messages[code] ?? msg },
});
