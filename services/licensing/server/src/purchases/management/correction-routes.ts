// Corrections of a purchase through both doors: a new code for a leaked one, the buyer's name and e-mail.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Id } from '@counterfoil/kit/http/parameters';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, managed } from '../../access-policy.ts';
import { correctBuyer } from './correct-buyer.ts';
import { IdempotencyHeaders } from './idempotency-key.ts';
import { presentWholePurchase, WholePurchase } from './managed-purchase.ts';
import { BuyerInput } from './purchase-input.ts';
import { reissuePurchase } from './reissue-purchase.ts';

interface Deps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

const tag = 'Purchases (management)';
const data = Type.Object({ purchase: WholePurchase });

export function registerPurchaseCorrections(app: App, policy: AccessPolicy, deps: Deps): void {
  registerReissue(app, policy, deps);
  registerBuyerCorrection(app, policy, deps);
}

function registerReissue(app: App, policy: AccessPolicy, { db, masterKey, now }: Deps): void {
  const schema = {
    ...managed(policy, { tag, summary: 'Replace the code by a new one', data }),
    description:
      'For a code that leaked. The old code stops validating at once, answers like an unknown one, and ' +
      'is never given again. Activations stay. Safe to repeat with the same `Idempotency-Key`.',
    params: policy.params({ purchase_id: Id }),
    headers: IdempotencyHeaders(
      'A name of your own for this request; the same name replaces one code.',
    ),
  };
  const options = { schema, ...policy.guard('purchases:write') };
  app.post(`${policy.prefix}/purchases/:purchase_id/reissue`, options, async (request) => {
    const target = {
      caller: policy.callerOf(request),
      purchaseId: BigInt(request.params.purchase_id),
      now: now(),
    };
    const idempotencyKey = request.headers['idempotency-key'];
    const purchase = await db.transaction((tx) =>
      reissuePurchase(tx, masterKey, target, idempotencyKey),
    );
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}

function registerBuyerCorrection(
  app: App,
  policy: AccessPolicy,
  { db, masterKey, now }: Deps,
): void {
  const schema = {
    ...managed(policy, { tag, summary: "Correct the buyer's name and e-mail", data }),
    description: 'What is left out stays as it is; an empty text takes it away.',
    params: policy.params({ purchase_id: Id }),
    body: Type.Object({ buyer: BuyerInput }),
  };
  const options = { schema, ...policy.guard('purchases:write') };
  app.patch(`${policy.prefix}/purchases/:purchase_id`, options, async (request) => {
    const target = {
      caller: policy.callerOf(request),
      purchaseId: BigInt(request.params.purchase_id),
      now: now(),
    };
    const { buyer } = request.body;
    const purchase = await db.transaction((tx) => correctBuyer(tx, target, buyer));
    return answer(request, { purchase: presentWholePurchase(masterKey, purchase) });
  });
}
