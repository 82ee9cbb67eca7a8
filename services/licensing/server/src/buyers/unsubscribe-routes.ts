// The route that ends mails to a buyer. It needs no sign-in, because the link of the mail has a token.
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { unsubscribeBuyer } from '../purchases/management/unsubscribe-buyer.ts';
import { portalPrefix, portalRoute } from './session-routes.ts';
import type { SignInDeps } from './sign-in-buyer.ts';

export function registerUnsubscribe(app: App, { db, masterKey, now }: SignInDeps): void {
  const data = Type.Object({ unsubscribed: Type.Boolean({ description: 'Always true.' }) });
  const schema = {
    ...portalRoute('End the mails about the support of a purchase', data),
    description:
      'The token is in the link of each mail, and needs no sign-in. A repeated call changes nothing. The ' +
      'token is no longer valid if the purchase gets another e-mail.',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
  };
  app.post(`${portalPrefix}/unsubscribe`, { schema }, async (request) => {
    const { token } = request.body;
    await db.transaction((tx) => unsubscribeBuyer(tx, { masterKey, token, now: now() }));
    return answer(request, { unsubscribed: true });
  });
}
