// Finds the session of a request by its cookie.

import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import { createRequestContext } from '@counterfoil/kit/http/request-context';
import type { FastifyRequest } from 'fastify';
import { listMemberships } from '../members/queries.ts';
import { findSessionByHash, saveLastSeen } from '../store/sessions.ts';
import { readSessionToken } from './cookie.ts';
import { aliveAt, type Session, sessionLimits } from './session.ts';
import type { SignIn } from './sign-in.ts';

const tokenForm = /^cfs_[A-Za-z0-9_-]{43}$/;
const sessions = createRequestContext<Session>('session');

/**
 * Returns an `onRequest` hook, which refuses a request without a session before its body is read.
 */
export function requireSession(signIn: SignIn) {
  return async (request: Pick<FastifyRequest, 'headers'>): Promise<void> => {
    const session = await findSession(signIn, request);
    if (!session) throw signIn.errors.fail('not_signed_in');
    sessions.set(request, session);
  };
}

/** Returns the session that the hook of `requireSession` found. */
export const getSession = (request: object): Session => sessions.get(request);

/**
 * Finds the session of a request, for routes that do not require one. Returns undefined if the browser is not
 * signed in.
 */
export async function findSession(
  signIn: SignIn,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Session | undefined> {
  const token = readSessionToken(signIn, request);
  if (token === undefined || !tokenForm.test(token)) return undefined;
  const at = aliveAt(signIn.now());
  const found = await findSessionByHash(signIn.db, hashSecret(signIn.masterKey, token), at);
  if (!found) return undefined;
  const { lastSeenAt, ...session } = found;
  const unlessSeenSince = new Date(at.now.getTime() - sessionLimits.seenEveryMs);
  if (lastSeenAt <= unlessSeenSince) {
    await saveLastSeen(signIn.db, { id: session.id, at: at.now, unlessSeenSince });
  }
  return { ...session, memberships: await listMemberships(signIn.db, session.personId) };
}
