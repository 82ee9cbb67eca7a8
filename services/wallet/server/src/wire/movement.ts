// The fields that the feed, statements, rounds and the inspector show of a movement.
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { getSubject, isPromoAccount, type Movement } from '../ledger/rules/movement.ts';

/** Only movements of promo money have this field, so that answers about cash do not change. */
export const PromoMark = Type.Optional(
  Type.Literal('promo', { description: 'Only for promo money: the amounts are those of the promo balance.' }),
);

export const markPromo = (account: bigint): { purse?: 'promo' } =>
  isPromoAccount(account) ? { purse: 'promo' } : {};

export const Shortfall = Type.Optional(
  Type.Number({
    description: 'Only for a win that was taken back: the part that the balance did not cover.',
  }),
);

export const markShortfall = ({ shortfall }: Movement, unit: Unit): { shortfall?: number } =>
  shortfall === undefined ? {} : { shortfall: toJsonNumber(shortfall, unit) };

export const presentMovement = (movement: Movement, unit: Unit) => ({
  sequence: Number(movement.sequence),
  created_at: new Date(movement.createdAtMs).toISOString(),
  kind: movement.kind,
  transaction_id: movement.transactionId,
  amount: toJsonNumber(movement.amount, unit),
  balance: toJsonNumber(getSubject(movement).balance, unit),
  result: movement.result,
  ...markPromo(getSubject(movement).account),
  ...markShortfall(movement, unit),
});
