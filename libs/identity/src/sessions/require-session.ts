// Who is asking? Finds the session of a request's cookie, for the routes here and the services'.

import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import type { FastifyRequest } from 'fastify';
import { listMembershipsOf } from '../store/memberships.ts';
import { findSessionByHash, saveLastSeen } from '../store/sessions.ts';
import { readSessionToken } from './cookie.ts';
import { aliveAt, type Session, sessionLimits } from './session.ts';
import type { SignIn } from './sign-in.ts';

const tokenForm = /^cfs_[A-Za-z0-9_-]{43}$/;
const sessions = new WeakMap<object, Session>();

/** An `onRequest` hook: authentication comes before the body is read, let alone judged. */
export function requireSession(signIn: SignIn) {
  return async (request: Pick<FastifyRequest, 'headers'>): Promise<void> => {
    const session = await findSession(signIn, request);
    if (!session) throw signIn.errors.fail('not_signed_in');
    sessions.set(request, session);
  };
}

/** The session that the hook found; on a route without the hook that is a mistake of ours. */
export function getSession(request: object): Session {
  const session = sessions.get(request);
  if (!session) throw new Error('getSession on a route that does not require a session');
  return session;
}

/** For the few routes that serve both: the session if there is one. */
export async function findSession(
  signIn: SignIn,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Session | undefined> {
  const token = readSessionToken(signIn, request);
  if (token === undefined || !tokenForm.test(token)) return undefined;
  const at = aliveAt(signIn.now());
  const found = await findSessionByHash(signIn.db, hashSecret(signIn.masterKey, token), at);
  if (!found) return undefined;
  const unlessSeenSince = new Date(at.now.getTime() - sessionLimits.seenEveryMs);
  if (found.last_seen_at <= unlessSeenSince) {
    await saveLastSeen(signIn.db, { id: found.id, at: at.now, unlessSeenSince });
  }
  return {
    id: found.id,
    personId: found.person_id,
    email: found.email,
    name: found.name,
    secondFactor: found.second_factor,
    recoveryCodesLeft: found.recovery_codes_left,
    memberships: await listMembershipsOf(signIn.db, found.person_id),
  };
}
