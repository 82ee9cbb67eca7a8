// A top-up or its reversal, as answers show it.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { changeOf, getSubject, isFinalRefusal, type Movement } from '../../ledger/rules/movement.ts';

export const topUpTypes = ['top_up', 'top_up_reversal'] as const;
export type TopUpType = (typeof topUpTypes)[number];

export const TopUpId = PrintableText({
  min: 1,
  max: 128,
  description: "The administrator's identifier of the top-up, unique per package.",
  examples: ['invoice-2026-117'],
});

export const TopUpFields = {
  transaction_id: Type.String(),
  type: Type.Enum(topUpTypes),
  amount: Type.Number(),
  balance_before: Type.Number({ description: "The package's credit before the top-up." }),
  balance: Type.Number(),
  currency: Type.String(),
  note: Type.String(),
  sequence: Type.Integer({ description: "The movement's position in the package's journal." }),
  created_at: Type.String({ format: 'date-time' }),
};

export const TopUpLine = named(
  'TopUp',
  Type.Object({
    ...TopUpFields,
    result: Type.Enum(['applied', 'refused']),
    code: Type.Optional(Type.String({ description: 'The reason of a refusal.' })),
  }),
);

export function presentTopUp(given: { movement: Movement; note: string | undefined; unit: Unit }) {
  const { movement, unit } = given;
  const { account, balance } = getSubject(movement);
  const isTopUp = movement.kind === 'top_up';
  return {
    transaction_id: movement.transactionId,
    type: isTopUp ? ('top_up' as const) : ('top_up_reversal' as const),
    amount: toJsonNumber(movement.amount, unit),
    balance_before: toJsonNumber(balance - changeOf(movement, account), unit),
    balance: toJsonNumber(balance, unit),
    currency: unit.currency,
    note: given.note ?? '',
    sequence: Number(movement.sequence),
    created_at: new Date(movement.createdAtMs).toISOString(),
  };
}

export const presentTopUpLine = (given: Parameters<typeof presentTopUp>[0]) => ({
  ...presentTopUp(given),
  ...(isFinalRefusal(given.movement.result)
    ? { result: 'refused' as const, code: given.movement.result }
    : { result: 'applied' as const }),
});
