// POST …/buyers/erase through both doors: a buyer asked to be forgotten.
import type { App } from '@counterfoil/kit/app';
import type { Db } from '@counterfoil/kit/db';
import { answer } from '@counterfoil/kit/sign-in/answers';
import { Type } from 'typebox';
import { type Door, managed } from '../door.ts';
import { eraseBuyer } from './erase-buyer.ts';

export function registerBuyerErasure(
  app: App,
  door: Door,
  { db, now }: { db: Db; now: () => Date },
): void {
  const tag = 'Purchases (management)';
  const data = Type.Object({
    purchases: Type.Integer({ description: 'How many held the buyer.' }),
  });
  const schema = {
    ...managed(door, { tag, summary: "Erase a buyer's name and e-mail for good", data }),
    params: door.params({}),
    body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
  };
  const options = { schema, ...door.guard('purchases:write') };
  app.post(`${door.prefix}/buyers/erase`, options, async (request) => {
    const caller = door.callerOf(request);
    const { email } = request.body;
    const purchases = await db.transaction((tx) => eraseBuyer(tx, { caller, email, now: now() }));
    return answer(request, { purchases });
  });
}
