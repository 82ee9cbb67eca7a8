// Sets and reads the session cookie. The code calls functions of @fastify/cookie directly. The plug-in is not
// registered with Fastify, because it would add a hook to every route.

import { type Language, readLanguage } from '@counterfoil/kit/http/headers';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { sessionLimits } from './session.ts';
import type { SignIn } from './sign-in.ts';

interface Answer {
  header(name: string, value: string): unknown;
}

/** A session cookie: its name, its lifetime, and the site that sets it. */
export interface SessionCookie {
  readonly cookieName: string;
  readonly publicUrl: URL;
  readonly sameSite?: 'strict' | 'lax';
  readonly lifetimeMs?: number;
}

/**
 * The attributes of the session cookie. With `SameSite=Strict`, a link from another site opens the panel
 * without the cookie. This does no harm: the HTML page needs no cookie, and the page itself sends all
 * requests that need one. The `__Host-` prefix of the name requires the path `/` and no domain.
 */
const attributes = ({ publicUrl, sameSite = 'strict' }: SessionCookie) => ({
  httpOnly: true,
  sameSite,
  path: '/',
  secure: publicUrl.protocol === 'https:',
});

export function setSessionCookie(cookie: SessionCookie, reply: Answer, token: string): void {
  const { lifetimeMs = sessionLimits.absoluteMs } = cookie;
  const options = { ...attributes(cookie), maxAge: lifetimeMs / 1000 };
  reply.header('set-cookie', fastifyCookie.serialize(cookie.cookieName, token, options));
}

export function clearSessionCookie(cookie: SessionCookie, reply: Answer): void {
  const options = { ...attributes(cookie), maxAge: 0 };
  reply.header('set-cookie', fastifyCookie.serialize(cookie.cookieName, '', options));
}

export function readSessionToken(
  { cookieName }: Pick<SessionCookie, 'cookieName'>,
  request: Pick<FastifyRequest, 'headers'>,
): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : fastifyCookie.parse(cookie)[cookieName];
}

export interface Browser {
  readonly address: string;
  readonly userAgent: string;
  /** The language that the panel asked for. */
  readonly language?: Language | undefined;
  /** The value of the session cookie that the browser sent. It may be invalid. */
  readonly token: string | undefined;
}

const maxUserAgentLength = 255;

export const browserOf = (signIn: SignIn, request: Pick<FastifyRequest, 'headers' | 'ip'>): Browser => ({
  address: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, maxUserAgentLength),
  language: readLanguage(request.headers['accept-language']),
  token: readSessionToken(signIn, request),
});
