// POST …/buyers/erase, for programs with a key and for people with a session: erases a buyer's data on
// request.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { exactlyOne } from '@counterfoil/kit/http/openapi/forms';
import { shownAs, shownWith } from '@counterfoil/kit/http/openapi/schema-marks';
import { mailForm } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type AccessPolicy, type ManagementDeps, managed } from '../access-policy.ts';
import { IdNumber } from '../wire/input.ts';
import { eraseBuyer } from './erase-buyer.ts';

export function registerBuyerErasure(app: App, policy: AccessPolicy, { db, now }: ManagementDeps): void {
  const route = {
    scope: 'purchases:write',
    role: 'owner',
    tag: 'Purchases (management)',
    summary: "Erase a buyer's name and e-mail for good",
    data: Type.Object({ purchases: Type.Integer({ description: 'Purchases that had data of the buyer.' }) }),
  } as const;
  const body = Type.Object({
    email: Type.Optional(shownAs(Type.String({ maxLength: 254 }), mailForm(254))),
    purchase_id: Type.Optional(IdNumber('Instead of the e-mail: the buyer of this one purchase.')),
  });
  const options = managed(policy, route, { body: shownWith(body, exactlyOne(['email', 'purchase_id'])) });
  app.post(`${policy.prefix}/buyers/erase`, options, async (request) => {
    const caller = policy.callerOf(request);
    const { email, purchase_id: id } = request.body;
    const purchaseId = id === undefined ? undefined : BigInt(id);
    const purchases = await db.transaction((tx) => eraseBuyer(tx, { caller, email, purchaseId, now: now() }));
    return answer(request, { purchases });
  });
}
