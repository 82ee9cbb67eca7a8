// The player's balance at top level of a callback's error, where providers read it.
import { toJsonNumber } from '@counterfoil/kit/money';
import type { FastifyRequest } from 'fastify';

export function presentMoneyAtHand({ callback, customerPackage }: FastifyRequest): {
  balance?: number;
} {
  if (callback?.balance === undefined || !customerPackage) return {};
  return { balance: toJsonNumber(callback.balance, customerPackage.currency) };
}
