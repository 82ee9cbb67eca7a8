// The fast path of game/callback, for plain requests of cached packages that authenticate callbacks by
// headers.

import { isTextUpTo, readPlainObject } from '@counterfoil/kit/http/read-json';
import type { FastReply, FastRoute } from '@counterfoil/kit/http/transport/fast-path';
import type { Unit } from '@counterfoil/kit/money';
import type { AuthenticateFromCache } from '../packages/callers/authenticate-from-cache.ts';
import { writeLastCredit } from '../packages/credit/credit-now.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import { answerCallback, type CallbackDeps } from './answer-callback.ts';
import type { Callback } from './callback.ts';
import { actions, type CallbackBody } from './callback-schema.ts';
import { readCallback } from './read-callback.ts';

const purposes = ['caller', 'callback'] as const;

export const fastCallback = (
  deps: CallbackDeps & { readonly authenticateFromCache: AuthenticateFromCache },
): FastRoute => ({
  path: '/api/v1/game/callback',
  overload: deps.overload,
  authorize: (raw, hasCapacity) => {
    const found = deps.authenticateFromCache(raw.headers, purposes);
    if (found?.callbackSecurity !== 'headers' || found.callbackAddresses.length > 0) {
      return undefined;
    }
    if (!hasCapacity) return { extras: writeLastCredit(deps.ledger, found) };
    return (body, reply) => handle(deps, found, body, reply);
  },
});

function handle(
  deps: CallbackDeps,
  customerPackage: CustomerPackage,
  bytes: Buffer,
  responder: FastReply,
): boolean {
  const body = readPlainBody(bytes);
  const callback = body && tryRead(body, customerPackage);
  if (!callback) return false;
  answerCallback(deps, { customerPackage, body, callback, responder });
  return true;
}

/**
 * Returns undefined for an invalid callback. The request then goes to the router, which answers it with the
 * error.
 */
function tryRead(body: CallbackBody, unit: Unit): Callback | undefined {
  try {
    return readCallback(body, unit);
  } catch {
    return undefined;
  }
}

const knownActions: ReadonlySet<unknown> = new Set(actions);

/** Returns undefined for a body that only the route's schema can check. */
function readPlainBody(bytes: Buffer): CallbackBody | undefined {
  const given = readPlainObject(bytes);
  if (!given || !knownActions.has(given.action) || !isTextUpTo(given.player_id, 64)) {
    return undefined;
  }
  const isPlain =
    isOptionalText(given.transaction_id) &&
    isOptionalText(given.currency) &&
    isOptionalText(given.game_id) &&
    isOptionalText(given.round_id) &&
    isOptionalText(given.reference_transaction_id) &&
    isOptionalText(given.session_id) &&
    (given.round_finished == null || typeof given.round_finished === 'boolean');
  return isPlain ? (given as unknown as CallbackBody) : undefined;
}

const isOptionalText = (value: unknown): boolean =>
  value === undefined || value === null || isTextUpTo(value, 128);
