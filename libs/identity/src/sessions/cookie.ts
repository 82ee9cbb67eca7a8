// The cookie of a session, set and read without the plug-in's hook on every route.
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { sessionLimits } from './session.ts';
import type { SignIn } from './sign-in.ts';

interface Answer {
  header(name: string, value: string): unknown;
}

/**
 * Strict costs nothing here: the panel's page needs no cookie, and whatever it then asks for is
 * asked by the page itself. Path / and no domain are what the `__Host-` prefix demands.
 */
const attributes = (signIn: SignIn) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: '/',
  secure: signIn.publicUrl.protocol === 'https:',
});

export function setSessionCookie(signIn: SignIn, reply: Answer, token: string): void {
  const maxAge = sessionLimits.absoluteMs / 1000;
  const options = { ...attributes(signIn), maxAge };
  reply.header('set-cookie', fastifyCookie.serialize(signIn.cookieName, token, options));
}

export function clearSessionCookie(signIn: SignIn, reply: Answer): void {
  const options = { ...attributes(signIn), maxAge: 0 };
  reply.header('set-cookie', fastifyCookie.serialize(signIn.cookieName, '', options));
}

export function readSessionToken(
  signIn: SignIn,
  request: Pick<FastifyRequest, 'headers'>,
): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : fastifyCookie.parse(cookie)[signIn.cookieName];
}

export interface Browser {
  readonly address: string;
  readonly userAgent: string;
  /** What its cookie holds, good or not. */
  readonly token: string | undefined;
}

const maxUserAgentLength = 255;

export const browserOf = (
  signIn: SignIn,
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
): Browser => ({
  address: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, maxUserAgentLength),
  token: readSessionToken(signIn, request),
});
