// The fast path of user/balance, for plain requests of packages that are cached.

import type { FastRead } from '@counterfoil/kit/http/transport/fast-path';
import type { AuthenticateFromCache } from '../packages/callers/authenticate-from-cache.ts';
import { answerBalance, type BalanceDeps } from './balance.ts';

const purposes = ['caller'] as const;

/**
 * Matches a query whose only parameter is `player_id`, without escapes. Requests with other queries go to the
 * router.
 */
const plainQuery = /^player_id=([\w.~:-]{1,64})$/;

export const fastBalance = (
  deps: BalanceDeps & { readonly authenticateFromCache: AuthenticateFromCache },
): FastRead => ({
  path: '/api/v1/user/balance',
  authorize: (raw, query) => {
    const playerId = plainQuery.exec(query)?.[1];
    if (playerId === undefined) return undefined;
    const customerPackage = deps.authenticateFromCache(raw.headers, purposes);
    if (!customerPackage) return undefined;
    return (responder) => answerBalance(deps, { customerPackage, playerId, responder });
  },
});
