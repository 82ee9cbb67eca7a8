// Checks a code in the panel. The result is the answer of the API, but the check is neither counted nor
// logged.
import { panelRoute } from '@counterfoil/identity/panel-route';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { fail } from '../../errors.ts';
import { getMembership, type PanelDeps, workspaceRoute } from '../../people/require-membership.ts';
import { IdNumber } from '../../wire/input.ts';
import type { SellerFinder } from '../../workspaces/workspace-cache.ts';
import { createCodeHasher, maxCodeLength, restoreCode } from '../code.ts';
import { findPurchaseId } from '../management/queries.ts';
import type { PurchaseFinder } from './queries.ts';
import { validatePurchase } from './validate-purchase.ts';
import { writeValidation } from './validation-answer.ts';

/**
 * The message that the specification requires (section 7). Texts that cannot be codes get this message too.
 */
const invalidCode = 'Invalid purchase code';

interface Deps extends PanelDeps {
  readonly sellers: SellerFinder;
  readonly find: PurchaseFinder;
}

const Checked = Type.Object({
  http_status: Type.Integer(),
  body: Type.Unknown({ description: 'The answer of POST /api/purchases/validation.' }),
  purchase_id: Type.Optional(
    Type.Integer({ description: 'The purchase, valid or not; absent if there is none.' }),
  ),
});

export function registerCodeCheck(app: App, deps: Deps): void {
  const check = createCheck(deps);
  const route = workspaceRoute(deps, 'member', {
    ...panelRoute('Check how the API answers a code', Checked),
    body: Type.Object({
      purchase_code: PrintableText({ min: 1, max: maxCodeLength }),
      item_id: Type.Optional(IdNumber('Answers as if to a publishable key of this item.')),
    }),
  });
  app.post('/panel/workspaces/:workspace_id/purchases/check', route, async (request) => {
    const { workspaceId } = getMembership(request);
    const { purchase_code: text, item_id: item } = request.body;
    const itemId = item === undefined ? undefined : BigInt(item);
    const given = { workspaceId, itemId, code: text.trim(), requestId: request.id };
    return answer(request, await check(given));
  });
}

function createCheck({ db, sellers, find, masterKey }: Deps) {
  const hashCode = createCodeHasher(masterKey);
  return async (given: {
    workspaceId: bigint;
    itemId: bigint | undefined;
    code: string;
    requestId: string;
  }) => {
    const { workspaceId, itemId, code } = given;
    const refuse = (failure: ServiceError) => ({
      http_status: failure.status,
      body: failure.toBody(given.requestId),
    });
    const seller = await sellers.get(workspaceId);
    if (!seller?.isSeller) return refuse(fail('not_a_seller'));
    if (code === '') return refuse(fail('invalid_parameter', { msg: invalidCode }));
    const verdict = await validatePurchase({ find, hashCode }, { workspaceId, itemId }, code);
    // The API does not find the code of an item that was never published. For such a code, the id of the
    // purchase is looked up separately, so that the panel can link to the purchase.
    const byCode = { workspaceId, codeHash: Buffer.from(hashCode(code), 'hex') };
    const isUnknown = !verdict.found && itemId === undefined;
    const id = isUnknown ? await findPurchaseId(db, byCode) : verdict.found?.purchase.id;
    const own = id === undefined ? {} : { purchase_id: Number(id) };
    if (!verdict.valid) return { ...refuse(fail(verdict.code)), ...own };
    const { sealedIfMixedCase } = verdict.found.purchase;
    const text = writeValidation({
      found: verdict.found,
      code: restoreCode(masterKey, { code, codeHash: verdict.codeHash, sealedIfMixedCase }),
      supportEnabled: seller.supportEnabled,
      legacyItem: false,
    });
    return { http_status: 200, body: JSON.parse(text) as unknown, ...own };
  };
}
