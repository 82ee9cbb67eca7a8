// Routes for the password and the second factor of the signed-in person.

import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { Code, Password, panelRoute, sessionSecurity as security } from '../panel-route.ts';
import {
  confirmSecondFactor,
  startSecondFactor,
  turnOffSecondFactor,
} from '../second-factor/manage-second-factor.ts';
import { browserOf, setSessionCookie } from '../sessions/cookie.ts';
import { getSession, requireSession } from '../sessions/require-session.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import { changePassword } from './change-password.ts';

const Enrolment = Type.Object({
  secret: Type.String({ description: 'Base32, for typing into the authenticator app.' }),
  otpauth_uri: Type.String({ description: 'The same secret as the content of a QR code.' }),
});

const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Cannot be shown again. Each code works once.' }),
});

export function registerPasswordRoutes(app: App, signIn: SignIn): void {
  const onRequest = requireSession(signIn);
  const changeSchema = {
    ...panelRoute('Change my password', Nothing),
    description: 'All other sessions end.',
    security,
    body: Type.Object({ current_password: Password, new_password: Password }),
  };
  app.post('/panel/password', { schema: changeSchema, onRequest }, async (request, reply) => {
    const { current_password: current, new_password: wanted } = request.body;
    const session = getSession(request);
    const browser = browserOf(signIn, request);
    const { token } = await changePassword(signIn, { session, current, wanted, browser });
    setSessionCookie(signIn, reply, token);
    return answer(request, {});
  });
  registerSecondFactor(app, signIn);
}

function registerSecondFactor(app: App, signIn: SignIn): void {
  const onRequest = requireSession(signIn);
  const startSchema = {
    ...panelRoute('Start setting up my second factor', Enrolment),
    security,
    body: Type.Object({ password: Password }),
  };
  app.post('/panel/second-factor', { schema: startSchema, onRequest }, async (request) => {
    const session = getSession(request);
    const { secret, uri } = await startSecondFactor(signIn, { session, ...request.body });
    return answer(request, { secret, otpauth_uri: uri });
  });

  const confirmSchema = {
    ...panelRoute('Turn on my second factor', RecoveryCodes),
    security,
    body: Type.Object({ code: Code }),
  };
  const confirmPath = '/panel/second-factor/confirm';
  app.post(confirmPath, { schema: confirmSchema, onRequest }, async (request) => {
    const input = { session: getSession(request), code: request.body.code, address: request.ip };
    return answer(request, { recovery_codes: await confirmSecondFactor(signIn, input) });
  });

  const offSchema = {
    ...panelRoute('Turn off my second factor', Nothing),
    security,
    body: Type.Object({ password: Password, code: Code }),
  };
  app.delete('/panel/second-factor', { schema: offSchema, onRequest }, async (request) => {
    const { password, code } = request.body;
    const input = { session: getSession(request), password, code, address: request.ip };
    await turnOffSecondFactor(signIn, input);
    return answer(request, {});
  });
}
