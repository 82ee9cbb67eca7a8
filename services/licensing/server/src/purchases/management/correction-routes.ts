// Corrections of a purchase, by key and by session: a new code, and the buyer's name and e-mail.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../../access-policy.ts';
import { correctBuyer } from './correct-buyer.ts';
import { presentWholePurchase } from './managed-purchase.ts';
import { ofPurchase, targetOf } from './management-routes.ts';
import { BuyerInput, IdempotencyHeaders } from './purchase-input.ts';
import { reissuePurchase } from './reissue-purchase.ts';

export function registerPurchaseCorrections(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  registerReissue(app, policy, deps);
  registerBuyerCorrection(app, policy, deps);
}

function registerReissue(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const { db, masterKey } = deps;
  const route = { ...ofPurchase, summary: 'Replace the code with a new one' };
  const options = managed(policy, route, {
    description:
      'For a code that leaked. The old code stops validating at once, is answered like an unknown one, ' +
      'and is never issued again. Activations stay. Safe to repeat with the same `Idempotency-Key`.',
    headers: IdempotencyHeaders(
      'Your own name for this request. Requests with the same name replace the code once.',
    ),
  });
  app.post(`${policy.prefix}/purchases/:purchase_id/reissue`, options, async (request) => {
    const target = targetOf(policy, deps, request);
    const idempotencyKey = request.headers['idempotency-key'];
    const purchase = await db.transaction((tx) => reissuePurchase(tx, masterKey, target, idempotencyKey));
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}

function registerBuyerCorrection(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const { db, masterKey } = deps;
  const route = { ...ofPurchase, summary: "Correct the buyer's name and e-mail" };
  const options = managed(policy, route, {
    description: 'A missing field stays unchanged. An empty text removes the value.',
    body: Type.Object({ buyer: BuyerInput }),
  });
  app.patch(`${policy.prefix}/purchases/:purchase_id`, options, async (request) => {
    const target = targetOf(policy, deps, request);
    const { buyer } = request.body;
    const purchase = await db.transaction((tx) => correctBuyer(tx, target, buyer));
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}
