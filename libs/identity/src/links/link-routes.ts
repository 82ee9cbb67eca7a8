// Routes for one-time links: a person requests a password reset, inspects a link, and redeems it.

import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { Email, PersonName, Role } from '../members/person.ts';
import { Password, panelRoute } from '../panel-route.ts';
import { browserOf, setSessionCookie } from '../sessions/cookie.ts';
import { findSession } from '../sessions/require-session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { inspectLink } from './link.ts';
import { redeemLink } from './redeem-link.ts';
import { admitResetRequest, sendPasswordReset } from './request-reset.ts';

const Token = Type.String({ minLength: 1, maxLength: 100 });
const Purpose = Type.Enum(['invitation', 'password_reset']);

const Inspected = Type.Object({
  purpose: Purpose,
  email: Type.String(),
  person_exists: Type.Boolean({
    description: 'If true, an invitation needs their password. If false, it needs a name and a new password.',
  }),
  tenant_id: Type.Optional(Type.Integer()),
  role: Type.Optional(Role),
});

const Redeemed = Type.Object({
  purpose: Purpose,
  email: Type.String(),
  tenant_id: Type.Optional(Type.Integer()),
  signed_in: Type.Boolean({ description: 'Whether the request started a session.' }),
});

/**
 * Registers the route that requests a password reset. The answer does not wait for the look-up of the person.
 * So neither the content nor the duration of the answer reveals whether the e-mail is known.
 */
function registerResetRequest(app: App, signIn: SignIn): void {
  const schema = {
    ...panelRoute('Ask for a password reset by mail', Nothing),
    description: 'The answer is the same for every e-mail. A mail is sent only to a person who can sign in.',
    body: Type.Object({ email: Email }),
  };
  const running = new Set<Promise<void>>();
  app.post('/panel/password-resets', { schema }, async (request) => {
    const { address, language } = browserOf(signIn, request);
    const wanted = { email: request.body.email, address, language };
    await admitResetRequest(signIn, wanted);
    const work = sendPasswordReset(signIn, wanted)
      .catch((error) => request.log.warn({ err: error }, 'a password reset was not sent'))
      .finally(() => running.delete(work));
    running.add(work);
    return answer(request, {});
  });
  app.addHook('onClose', async () => void (await Promise.all(running)));
}

export function registerLinkRoutes(app: App, signIn: SignIn): void {
  registerResetRequest(app, signIn);
  // The route only reads, but uses POST. URLs are logged, and the token of the link must not be in a log.
  const inspectSchema = {
    ...panelRoute('What is this one-time link for?', Inspected),
    body: Type.Object({ token: Token }),
  };
  app.post('/panel/links/inspect', { schema: inspectSchema }, async (request) => {
    const { link, personExists } = await inspectLink(signIn, request.body.token);
    return answer(request, {
      purpose: link.purpose,
      email: link.email,
      person_exists: personExists,
      ...(link.purpose === 'invitation' && { tenant_id: Number(link.tenantId), role: link.role }),
    });
  });

  const redeemSchema = {
    ...panelRoute('Use a one-time link', Redeemed),
    body: Type.Object({ token: Token, name: Type.Optional(PersonName), password: Type.Optional(Password) }),
  };
  app.post('/panel/links/redeem', { schema: redeemSchema }, async (request, reply) => {
    const { token, name, password } = request.body;
    const session = await findSession(signIn, request);
    const browser = browserOf(signIn, request);
    const redeemed = await redeemLink(signIn, { token, name, password, session, browser });
    if (redeemed.token !== undefined) setSessionCookie(signIn, reply, redeemed.token);
    const { purpose, email, tenantId } = redeemed;
    return answer(request, {
      purpose,
      email,
      ...(tenantId !== null && { tenant_id: Number(tenantId) }),
      signed_in: redeemed.token !== undefined,
    });
  });
}
