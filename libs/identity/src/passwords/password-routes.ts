// Routes for the person's own password and second factor.

import { answer, Nothing } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { Code, Password, panelRoute, sessionSecurity } from '../panel-route.ts';
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
  secret: Type.String({ description: 'Base32, to be typed in.' }),
  otpauth_uri: Type.String({ description: 'The same as a QR code holds it.' }),
});

const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown this once; each works once.' }),
});

const security = sessionSecurity;

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
    ...panelRoute('Begin to set up my second factor', Enrolment),
    security,
    body: Type.Object({ password: Password }),
  };
  app.post('/panel/second-factor', { schema: startSchema, onRequest }, async (request) => {
    const session = getSession(request);
    const { secret, uri } = await startSecondFactor(signIn, { session, ...request.body });
    return answer(request, { secret, otpauth_uri: uri });
  });

  const confirmSchema = {
    ...panelRoute('Put my second factor in force', RecoveryCodes),
    security,
    body: Type.Object({ code: Code }),
  };
  const confirmPath = '/panel/second-factor/confirm';
  app.post(confirmPath, { schema: confirmSchema, onRequest }, async (request) => {
    const input = { session: getSession(request), code: request.body.code, address: request.ip };
    return answer(request, { recovery_codes: await confirmSecondFactor(signIn, input) });
  });

  const offSchema = {
    ...panelRoute('Turn my second factor off', Nothing),
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
