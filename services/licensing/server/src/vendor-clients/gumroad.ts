// POST /v2/licenses/verify: returns the purchase of a licence key in the format of Gumroad's API.
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Type } from 'typebox';
import { selectOccupancy } from '../activations/queries.ts';
import { fail } from '../errors.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { refuseField } from '../wire/refusals.ts';
import {
  base,
  bodyGuards,
  KeyInPath,
  parseItem,
  refuseAs,
  type SoughtPurchase,
  seekPurchase,
  type ToVendor,
  VendorAnswer,
  type VendorDeps,
} from './vendor-request.ts';

const names = ['license_key', 'product_id', 'product_permalink'];
const Product = Type.String({ pattern: '^[0-9]{1,18}$', description: 'The id of the item.' });

export function registerGumroad(app: App, deps: VendorDeps): void {
  const schema = {
    tags: ['Vendor clients'],
    summary: 'Verify a licence key, as a client of Gumroad',
    description:
      'Counts as a validation. The body may be JSON or a form. `product_id` or `product_permalink` is the ' +
      'id of the item. A refunded or disputed purchase has status 200, as from Gumroad.',
    params: KeyInPath,
    consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    body: Type.Object({
      license_key: CodeInput,
      product_id: Type.Optional(Product),
      product_permalink: Type.Optional(Product),
    }),
    response: { 200: VendorAnswer, '4xx': ErrorAnswer },
  };
  const hooks = bodyGuards(deps, { vendor: 'gumroad', scope: 'purchases:validate', names });
  app.post(
    `${base}/v2/licenses/verify`,
    { schema, ...hooks, onSend: refuseAs(toGumroad) },
    async (request) => {
      const { license_key: code, product_id: id, product_permalink: permalink } = request.body;
      const product = id ?? permalink;
      if (product === undefined) throw refuseField('product_id', 'is required.');
      const isWanted = (found: SoughtPurchase | Pick<SoughtPurchase, 'purchase'>) =>
        String(found.purchase.itemId) === product;
      const sought = await seekPurchase(deps, request, { field: 'license_key', code, isWanted });
      const { purchase } = sought;
      if (purchase.state === 'cancelled') throw fail('purchase_cancelled');
      const { workspaceId } = request.apiKey;
      const of = { workspaceId, purchaseId: purchase.id, since: deps.now() };
      const { used } = await selectOccupancy(deps.db, of);
      return { success: true, uses: used, purchase: presentPurchase(sought, workspaceId) };
    },
  );
}

function presentPurchase({ purchase, itemText, code }: SoughtPurchase, workspaceId: bigint) {
  const product = String(purchase.itemId);
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
};

const toGumroad: ToVendor = ({ code, msg }) => ({
  fields: { success: false, message: messages[code] ?? msg },
});
