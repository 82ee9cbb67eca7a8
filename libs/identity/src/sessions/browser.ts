// Where a request comes from, and the session it brings along.
import type { FastifyRequest } from 'fastify';
import { readSessionToken } from './cookie.ts';
import type { SignIn } from './sign-in.ts';

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
