// Checks a code in the panel: what the API would answer, without a key and without counting.

import { panelRoute, sessionSecurity } from '@counterfoil/identity/panel-route';
import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../../errors.ts';
import type { SellerFinder } from '../../workspaces/find-seller.ts';
import {
  getMembership,
  requireMembership,
  WorkspaceParams,
} from '../../workspaces/require-membership.ts';
import { createCodeHasher, maxCodeLength, restoreCode } from '../code.ts';
import { findPurchaseId } from '../management/find-purchase-id.ts';
import type { PurchaseFinder } from './find-purchase-by-code.ts';
import { validatePurchase } from './validate-purchase.ts';
import { writeValidation } from './validation-answer.ts';

/** The sentence of the specification's section 7, for a code that cannot be one as well. */
const invalidCode = 'Invalid purchase code';

interface Deps {
  readonly db: Queryable;
  readonly signIn: SignIn;
  readonly masterKey: MasterKey;
  readonly sellers: SellerFinder;
  readonly find: PurchaseFinder;
}

interface Asked {
  readonly workspaceId: bigint;
  readonly code: string;
  readonly itemId: bigint | undefined;
}

const Checked = Type.Object({
  http_status: Type.Integer(),
  body: Type.Unknown({ description: 'As POST /api/purchases/validation gives it.' }),
  purchase_id: Type.Optional(
    Type.Integer({ description: 'Your own sale, valid or not, where the code is one.' }),
  ),
});

export function registerCodeCheck(app: App, deps: Deps): void {
  const check = createCheck(deps);
  const schema = {
    ...panelRoute('What would the API say to this code?', Checked),
    security: sessionSecurity,
    params: Type.Object(WorkspaceParams),
    body: Type.Object({
      purchase_code: PrintableText({ min: 1, max: maxCodeLength }),
      item_id: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'As a publishable key of this item is answered.',
        }),
      ),
    }),
  };
  const onRequest = requireMembership(deps.signIn, { role: 'member' });
  const path = '/panel/workspaces/:workspace_id/purchases/check';
  app.post(path, { schema, onRequest }, async (request) => {
    const { workspaceId } = getMembership(request);
    const { purchase_code: text, item_id: item } = request.body;
    const itemId = item === undefined ? undefined : BigInt(item);
    const asked = { workspaceId, code: text.trim(), itemId };
    return answer(request, await check(asked, request.id));
  });
}

function createCheck({ db, sellers, find, masterKey }: Deps) {
  const hashCode = createCodeHasher(masterKey);
  const refuse = (code: Parameters<typeof fail>[0], requestId: string) => {
    const failure = fail(code, code === 'invalid_parameter' ? { msg: invalidCode } : {});
    return { http_status: failure.status, body: failure.toBody(requestId) };
  };
  return async ({ workspaceId, code, itemId }: Asked, requestId: string) => {
    const seller = await sellers.get(workspaceId);
    if (!seller?.isSeller) return refuse('not_a_seller', requestId);
    if (code === '') return refuse('invalid_parameter', requestId);
    const verdict = await validatePurchase({ find, hashCode }, { workspaceId, itemId }, code);
    // A code of an item that was never published is unknown to the API, not to its seller.
    const byCode = { workspaceId, codeHash: Buffer.from(hashCode(code), 'hex') };
    const isUnknown = !verdict.found && itemId === undefined;
    const id = isUnknown ? await findPurchaseId(db, byCode) : verdict.found?.purchase.id;
    const own = id === undefined ? {} : { purchase_id: Number(id) };
    if (!verdict.valid) return { ...refuse(verdict.code, requestId), ...own };
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
