// Routes for signing in and out, the signed-in person, and their sessions.

import { answer, Nothing, presentTime } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { type Static, Type } from 'typebox';
import { Email } from '../members/person.ts';
import { Code, Me, Password, panelRoute, presentMe, sessionSecurity } from '../panel-route.ts';
import { browserOf, clearSessionCookie, setSessionCookie } from './cookie.ts';
import { endOwnSession, endSession, listSessions } from './own-sessions.ts';
import { getSession, requireSession } from './require-session.ts';
import type { ListedSession, Session } from './session.ts';
import type { SignIn } from './sign-in.ts';
import { startSession } from './start-session.ts';

const Credentials = Type.Object({
  email: Email,
  password: Password,
  code: Type.Optional(Code),
});

const OwnSession = Type.Object({
  id: Type.Integer(),
  current: Type.Boolean(),
  created_at: Type.String(),
  last_seen_at: Type.String(),
  expires_at: Type.String(),
  address: Type.String(),
  user_agent: Type.String(),
});

const presentSession = (listed: ListedSession, own: Session): Static<typeof OwnSession> => ({
  id: Number(listed.id),
  current: listed.id === own.id,
  created_at: presentTime(listed.createdAt),
  last_seen_at: presentTime(listed.lastSeenAt),
  expires_at: presentTime(listed.expiresAt),
  address: listed.address,
  user_agent: listed.userAgent,
});

export function registerSessionRoutes(app: App, signIn: SignIn): void {
  registerSigningInAndOut(app, signIn);
  registerOwnSessions(app, signIn);
}

function registerSigningInAndOut(app: App, signIn: SignIn): void {
  const startSchema = {
    ...panelRoute('Sign in', Type.Object({ signed_in: Type.Boolean() })),
    description: 'Answers 401 `second_factor_required` if the request must be repeated with a `code`.',
    body: Credentials,
  };
  app.post('/panel/session', { schema: startSchema }, async (request, reply) => {
    const { email, password, code } = request.body;
    const browser = browserOf(signIn, request);
    const { token } = await startSession(signIn, { email, password, code, browser });
    setSessionCookie(signIn, reply, token);
    return answer(request, { signed_in: true });
  });

  const endSchema = panelRoute('Sign out', Nothing);
  app.delete('/panel/session', { schema: endSchema }, async (request, reply) => {
    await endSession(signIn, browserOf(signIn, request));
    clearSessionCookie(signIn, reply);
    return answer(request, {});
  });

  const onRequest = requireSession(signIn);
  const meSchema = { ...panelRoute('Who am I?', Me), security: sessionSecurity };
  app.get('/panel/session', { schema: meSchema, onRequest }, async (request) =>
    answer(request, presentMe(getSession(request))),
  );
}

function registerOwnSessions(app: App, signIn: SignIn): void {
  const onRequest = requireSession(signIn);
  const listSchema = {
    ...panelRoute('Where am I signed in?', Type.Object({ sessions: Type.Array(OwnSession) })),
    security: sessionSecurity,
  };
  app.get('/panel/sessions', { schema: listSchema, onRequest }, async (request) => {
    const own = getSession(request);
    const sessions = await listSessions(signIn, own.personId);
    return answer(request, { sessions: sessions.map((each) => presentSession(each, own)) });
  });

  const endOwnSchema = {
    ...panelRoute('End one of my sessions', Nothing),
    security: sessionSecurity,
    params: Type.Object({ id: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
  };
  app.delete('/panel/sessions/:id', { schema: endOwnSchema, onRequest }, async (request, reply) => {
    const session = getSession(request);
    const id = BigInt(request.params.id);
    await endOwnSession(signIn, { session, id, address: request.ip });
    if (id === session.id) clearSessionCookie(signIn, reply);
    return answer(request, {});
  });
}
