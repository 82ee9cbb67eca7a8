// GET /v3/market/author/sale: returns the sale of a purchase code in the format of Envato's API.
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { formatMinor } from '@counterfoil/kit/money';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { apiKeySecurity } from '../authentication/authenticate.ts';
import { fail } from '../errors.ts';
import { settleQuery } from '../parameters/parameters.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { requireSeller } from '../purchases/validation/validate-purchase.ts';
import {
  base,
  getTerm,
  KeyInPath,
  listKeyInPath,
  parseItem,
  refuseAs,
  requireVendor,
  type SoughtPurchase,
  seekPurchase,
  type ToVendor,
  VendorAnswer,
  type VendorDeps,
} from './vendor-request.ts';

const path = '/v3/market/author/sale';
/** Some published validators send this path. It is served, but not documented. */
const pathWithSlash = `${path}/`;

export function registerEnvato(app: App, deps: VendorDeps): void {
  const schema = {
    tags: ['Vendor clients'],
    summary: 'Look up a sale by its code, as a client of Envato',
    description:
      'Counts as a validation. A code that is not valid gets 404, as from Envato. A licence that has ended ' +
      'gets 404 after its grace period.',
    security: apiKeySecurity,
    querystring: Type.Object({ code: CodeInput }),
    response: { 200: VendorAnswer, '4xx': ErrorAnswer },
  };
  const preValidation = [requireSeller(deps.sellers), requireVendor('envato'), settleQuery(['code'])];
  const hooks = { preValidation, onSend: refuseAs(toEnvato) };
  const find = async (request: FastifyRequest, code: string) => {
    const sought = await seekPurchase(deps, request, { field: 'code', code });
    const { state } = sought.purchase;
    if (state !== 'active') throw fail(`purchase_${state}`);
    if ((await getTerm(deps, request, sought.purchase)).isExpired) throw fail('licence_ended');
    return presentSale(sought, request.seller.supportEnabled);
  };
  const byKey = { schema, ...hooks, onRequest: deps.authenticate('purchases:validate') };
  app.get(path, byKey, (request) => find(request, request.query.code));
  app.get(pathWithSlash, { ...byKey, schema: { ...schema, hide: true } }, (request) =>
    find(request, request.query.code),
  );
  const byPath = {
    ...hooks,
    schema: { ...schema, security: [], params: KeyInPath },
    onRequest: deps.authenticate('purchases:validate', listKeyInPath),
  };
  app.get(`${base}${path}`, byPath, (request) => find(request, request.query.code));
  app.get(`${base}${pathWithSlash}`, { ...byPath, schema: { ...byPath.schema, hide: true } }, (request) =>
    find(request, request.query.code),
  );
}

/** The buyer is never named, because a publishable key is shipped to all buyers. */
function presentSale({ purchase, itemText, code }: SoughtPurchase, supportEnabled: boolean) {
  const item = parseItem(itemText);
  return {
    amount: formatMinor(purchase.priceMinor, purchase.currency),
    sold_at: purchase.purchasedAt,
    license: `${purchase.licenseType} License`,
    support_amount: formatMinor(0n, purchase.currency),
    supported_until: (supportEnabled && purchase.supportedUntil) || null,
    item: {
      id: item.id,
      name: item.name,
      description: item.description,
      site: '',
      classification: item.category,
      author_username: '',
      url: item.demo_link,
      published_at: item.published_at,
      tags: item.tags,
      previews: { icon_preview: { icon_url: item.media.thumbnail } },
    },
    code,
    buyer: '',
    purchase_count: 1,
  };
}

/** Envato has no answer for a licence that has ended, so the service answers that there is no sale. */
const toEnvato: ToVendor = ({ code, status: ownStatus, msg }) => {
  const isInvalid = code.startsWith('purchase_') || code === 'licence_ended';
  const status = isInvalid ? 404 : ownStatus;
  const description = isInvalid ? 'No sale belonging to the current user found with that code' : msg;
  return { status, fields: { error: status, description } };
};
