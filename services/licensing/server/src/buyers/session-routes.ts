// Routes of the buyer portal for signing in and out.
import { Email } from '@counterfoil/identity/members/person';
import { panelRoute } from '@counterfoil/identity/panel-route';
import { clearSessionCookie, setSessionCookie } from '@counterfoil/identity/sessions/cookie';
import { Answer, answer, Nothing, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { readLanguage } from '@counterfoil/kit/http/headers';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { CodeInput } from '../purchases/purchase.ts';
import { IdNumber } from '../wire/input.ts';
import { listWorkspaces } from '../workspaces/queries.ts';
import {
  BuyerSessionAnswer,
  buyerSecurity,
  getBuyer,
  readSessionHash,
  requireBuyer,
} from './buyer-session.ts';
import {
  admitLinkRequest,
  endBuyerSession,
  readBuyerEmail,
  redeemBuyerLink,
  type SignInDeps,
  sendBuyerLink,
  signInWithCode,
} from './sign-in-buyer.ts';

export const portalPrefix = '/panel/buyers';
const tags = ['Buyer portal'];

/** The schema of a route of the buyer portal. */
export const portalRoute: typeof panelRoute = (summary, data) => ({ ...panelRoute(summary, data), tags });

const SellerId = Type.Optional(
  IdNumber("The id of the seller's workspace. Without it, all workspaces are searched."),
);

export function registerBuyerSessionRoutes(app: App, deps: SignInDeps): void {
  registerOptions(app, deps);
  registerLinks(app, deps);
  registerCodes(app, deps);
  registerSession(app, deps);
}

function registerOptions(app: App, { mailer }: SignInDeps): void {
  const schema = portalRoute(
    'How can buyers sign in?',
    Type.Object({ links: Type.Boolean({ description: 'Whether the service sends links by mail.' }) }),
  );
  app.get(`${portalPrefix}/options`, { schema }, async (request) =>
    answer(request, { links: mailer.mode !== 'off' }),
  );
}

/** The maximum number of requests for a link that wait for the search for purchases. */
const maxWaiting = 100;

/**
 * A request for a link is answered before the purchases of the e-mail address are searched. So neither the
 * content nor the duration of the answer reveals whether the e-mail address is known. One search runs at a
 * time, so a burst of requests occupies one connection to the database.
 */
function registerLinks(app: App, deps: SignInDeps): void {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const enqueue = (work: () => Promise<void>) => {
    waiting++;
    last = last.then(work).finally(() => waiting--);
  };
  const schema = {
    ...portalRoute('Ask for a sign-in link by mail', Nothing),
    response: { 202: Answer(Nothing), '4xx': ErrorAnswer },
    description: 'The answer is the same for every e-mail. A mail is sent only to a buyer.',
    body: Type.Object({ email: Email, seller_id: SellerId }),
  };
  app.post(`${portalPrefix}/links`, { schema }, async (request, reply) => {
    const { email: given, seller_id: id } = request.body;
    const email = readBuyerEmail(given);
    const sellerId = id === undefined ? undefined : BigInt(id);
    const wanted = { email, sellerId, address: request.ip };
    if (waiting >= maxWaiting) throw fail('overloaded');
    await admitLinkRequest(deps, wanted);
    const language = readLanguage(request.headers['accept-language']) ?? 'en';
    enqueue(() =>
      sendBuyerLink(deps, { ...wanted, language }).catch((error) =>
        request.log.warn({ err: error }, 'a link for a buyer was not sent'),
      ),
    );
    reply.code(202);
    return answer(request, {});
  });
  app.addHook('onClose', async () => await last);

  const redeem = {
    ...portalRoute('Use a sign-in link', Type.Object({ signed_in: Type.Boolean() })),
    description: 'The link works once. Opening the page of the link does not use the link.',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
  };
  app.post(`${portalPrefix}/links/redeem`, { schema: redeem }, async (request, reply) => {
    const previous = readSessionHash(deps, request);
    const session = await redeemBuyerLink(deps, { token: request.body.token, previous });
    setSessionCookie(deps.cookie, reply, session);
    return answer(request, { signed_in: true });
  });
}

function registerCodes(app: App, deps: SignInDeps): void {
  const schema = {
    ...portalRoute('Sign in with a purchase code', Type.Object({ signed_in: Type.Boolean() })),
    description: 'The session shows only the purchase of the code, because a code may have leaked.',
    body: Type.Object({ email: Email, purchase_code: CodeInput, seller_id: SellerId }),
  };
  app.post(`${portalPrefix}/session`, { schema }, async (request, reply) => {
    const { email, purchase_code: code, seller_id: id } = request.body;
    const session = await signInWithCode(deps, {
      email: readBuyerEmail(email),
      code,
      sellerId: id === undefined ? undefined : BigInt(id),
      address: request.ip,
      previous: readSessionHash(deps, request),
    });
    setSessionCookie(deps.cookie, reply, session);
    return answer(request, { signed_in: true });
  });
}

function registerSession(app: App, deps: SignInDeps): void {
  const { db, cookie } = deps;
  const reading = { ...portalRoute('Which buyer am I?', BuyerSessionAnswer), security: buyerSecurity };
  app.get(`${portalPrefix}/session`, { schema: reading, onRequest: requireBuyer(deps) }, async (request) => {
    const { email, expiresAt, workspaceIds, purchaseId } = getBuyer(request);
    const sellers = await listWorkspaces(db, workspaceIds);
    return answer(request, {
      email,
      expires_at: presentTime(expiresAt),
      whole: purchaseId === undefined,
      sellers: sellers.map(({ id, name }) => ({ seller_id: Number(id), name })),
    });
  });

  const ending = portalRoute('Sign out', Nothing);
  app.delete(`${portalPrefix}/session`, { schema: ending }, async (request, reply) => {
    const tokenHash = readSessionHash(deps, request);
    if (tokenHash) await endBuyerSession(deps, tokenHash);
    clearSessionCookie(cookie, reply);
    return answer(request, {});
  });
}
