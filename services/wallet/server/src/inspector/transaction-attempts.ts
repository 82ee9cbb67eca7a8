// All attempts of a transaction id, as the inspector shows them.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { CallbackLineAnswer, presentCallbackLine } from '../callbacks/callback-log.ts';
import { NamedCall, presentNamedCall } from '../connections/calls/call-line.ts';
import { ConnectionMark, markConnection } from '../connections/connection.ts';
import { getSubject } from '../ledger/rules/movement.ts';
import { PromoMark, presentMovement, Shortfall } from '../wire/movement.ts';
import type { InspectedTransaction } from './inspect-transaction.ts';

const Space = Type.Enum(['caller', 'provider'], {
  description: '`caller` for update_balance, `provider` for callbacks and calls of provider connections.',
});

export const TransactionAttempts = named(
  'TransactionAttempts',
  Type.Object({
    transaction_id: Type.String(),
    deliveries: Type.Array(
      Type.Object({
        space: Space,
        sequence: Type.Integer(),
        created_at: Type.String({ format: 'date-time' }),
        kind: Type.String(),
        transaction_id: Type.String(),
        player_id: Type.String(),
        amount: Type.Number(),
        balance: Type.Number(),
        result: Type.String(),
        game_id: Nullable(Type.String()),
        round_id: Nullable(Type.String()),
        purse: PromoMark,
        shortfall: Shortfall,
        connection: ConnectionMark,
      }),
      { description: 'Stored movements, final refusals included, oldest first.' },
    ),
    attempts: Type.Array(Type.Object({ space: Space, ...CallbackLineAnswer.properties }), {
      description: 'Repeats, refusals, conflicts and failures, newest first.',
    }),
    calls: Type.Array(NamedCall, {
      description:
        'Calls of provider connections that contain the transaction, newest first: each with its original ' +
        'body and its meaning.',
    }),
  }),
);

export function presentTransactionAttempts(found: InspectedTransaction, unit: Unit) {
  return {
    transaction_id: found.transactionId,
    deliveries: found.movements.map(({ movement, connection }) => {
      const isCaller = movement.kind === 'credit' || movement.kind === 'debit';
      return {
        ...presentMovement(movement, unit),
        space: isCaller ? ('caller' as const) : ('provider' as const),
        player_id: found.players.get(getSubject(movement).account) ?? '',
        game_id: movement.gameId ?? null,
        round_id: found.rounds.get(movement.roundHash ?? '') ?? null,
        ...markConnection(connection),
      };
    }),
    attempts: presentAttempts(found),
    calls: found.calls.map((call) => presentNamedCall(call, found.connections)),
  };
}

function presentAttempts({ lines, attempts }: InspectedTransaction) {
  const provider = lines.map((line) => ({
    space: 'provider' as const,
    ...presentCallbackLine(line),
  }));
  const caller = attempts.map(({ type: action, ...line }) => ({
    space: 'caller' as const,
    ...presentCallbackLine({ ...line, action, roundId: '' }),
  }));
  return [...provider, ...caller].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
