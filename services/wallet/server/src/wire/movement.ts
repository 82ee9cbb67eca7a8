// The fields that the feed, statements, rounds and the inspector show of a movement.
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { getSubject, type Movement } from '../ledger/rules/movement.ts';

export const presentMovement = (movement: Movement, unit: Unit) => ({
  sequence: Number(movement.sequence),
  created_at: new Date(movement.createdAtMs).toISOString(),
  kind: movement.kind,
  transaction_id: movement.transactionId,
  amount: toJsonNumber(movement.amount, unit),
  balance: toJsonNumber(getSubject(movement).balance, unit),
  result: movement.result,
});
