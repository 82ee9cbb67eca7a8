// The fast path of user/update_balance, for plain requests of packages that are cached.
import { isTextUpTo, readPlainObject } from '@counterfoil/kit/http/read-json';
import type { FastReply, FastRoute } from '@counterfoil/kit/http/transport/fast-path';
import { parseMinor, type Unit } from '@counterfoil/kit/money';
import type { AuthenticateFromCache } from '../packages/callers/authenticate-from-cache.ts';
import { writeLastCredit } from '../packages/credit/credit-now.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import { answerUpdateBalance, type BalanceUpdate, type UpdateBalanceDeps } from './update-balance.ts';

const purposes = ['caller'] as const;

export const fastUpdateBalance = (
  deps: UpdateBalanceDeps & { readonly authenticateFromCache: AuthenticateFromCache },
): FastRoute => ({
  path: '/api/v1/user/update_balance',
  overload: deps.overload,
  authorize: (raw, hasCapacity) => {
    const customerPackage = deps.authenticateFromCache(raw.headers, purposes);
    if (!customerPackage) return undefined;
    if (!hasCapacity || deps.ledger.isFull(customerPackage.id)) {
      return { extras: writeLastCredit(deps.ledger, customerPackage) };
    }
    return (body, reply) => handle(deps, customerPackage, body, reply);
  },
});

function handle(
  deps: UpdateBalanceDeps,
  customerPackage: CustomerPackage,
  body: Buffer,
  responder: FastReply,
): boolean {
  const update = readUpdate(body, customerPackage);
  if (!update) return false;
  answerUpdateBalance(deps, { customerPackage, update, responder });
  return true;
}

/** Parses a plain body. Undefined if the schema of the route must check the body instead. */
function readUpdate(body: Buffer, unit: Unit): BalanceUpdate | undefined {
  const given = readPlainObject(body);
  if (!given) return undefined;
  const { player_id: playerId, transaction_id: transactionId } = given;
  if (!isTextUpTo(playerId, 64) || !isTextUpTo(transactionId, 128)) return undefined;
  const { type, purse = 'cash' } = given;
  if (purse !== 'cash' && purse !== 'promo') return undefined;
  const note = given.note ?? '';
  if ((type !== 'credit' && type !== 'debit') || typeof note !== 'string' || note.length > 255) {
    return undefined;
  }
  const amount = parseMinor(given.amount, unit);
  if (amount === undefined || amount === 0n) return undefined;
  return { playerId, purse, type, amount, transactionId, note };
}
