// Authenticates programs of the platform by `Authorization: Bearer cfa_…`. Every request reads its token from
// the database.

import { hashSecret } from '@counterfoil/kit/crypto/secrets';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';
import { refuseAuthentication } from '../packages/callers/authenticate.ts';
import type { ManagementDeps } from '../packages/lock-package.ts';
import { type AdminToken, getTokenState, tokenForm } from './admin-token.ts';
import { findTokenByHash } from './queries.ts';
import { saveTokenUsed } from './store.ts';

const headers = { 'www-authenticate': 'Bearer' };

/** Shortest interval between two writes of the time at which a token was last used. */
const usedEveryMs = 60_000;

type AdminAuthDeps = Pick<ManagementDeps, 'db' | 'masterKey' | 'now'> & { readonly throttle: Throttle };

export type AuthenticateAdmin = (request: FastifyRequest) => Promise<AdminToken>;

/** Unknown, expired and revoked tokens get the same answer. */
export function createAuthenticateAdmin(deps: AdminAuthDeps): AuthenticateAdmin {
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || authorization === '') {
      const msg = 'An administrator token is required: Authorization: Bearer cfa_…';
      throw refuseAuthentication(deps.throttle, request, fail('auth_missing', { msg, headers }));
    }
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    const found = tokenForm.test(token)
      ? await findTokenByHash(deps.db, hashSecret(deps.masterKey, token))
      : undefined;
    const now = deps.now();
    if (!found || getTokenState(found, now) !== 'active') {
      throw refuseAuthentication(deps.throttle, request, fail('auth_invalid', { headers }));
    }
    await recordUse(deps.db, found, now);
    return found;
  };
}

async function recordUse(db: Db, token: AdminToken, now: Date): Promise<void> {
  const unlessUsedSince = new Date(now.getTime() - usedEveryMs);
  if (token.lastUsedAt && token.lastUsedAt > unlessUsedSince) return;
  await saveTokenUsed(db, { id: token.id, at: now, unlessUsedSince });
}
