// A caller's credit or debit of a player, and its form in answers.
import { Nullable } from '@counterfoil/kit/http/answers';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { ConnectionMark, markConnection, type NamedConnection } from '../connections/connection.ts';
import type { JournalEntry } from '../ledger/queries.ts';
import { changeOf, getSubject, isFinalRefusal, type Movement, purses } from '../ledger/rules/movement.ts';
import { markPromo, PromoMark, presentMovement, Shortfall } from '../wire/movement.ts';

export const TransactionId = PrintableText({
  min: 1,
  max: 128,
  description: "The caller's own identifier, unique per package over all players. Ids never expire.",
  examples: ['order-1042'],
});

export const TransactionFields = {
  player_id: Type.String(),
  transaction_id: Type.String(),
  type: Type.Union([Type.Literal('credit'), Type.Literal('debit')]),
  amount: Type.Number(),
  balance_before: Type.Number(),
  balance: Type.Number(),
  currency: Type.String(),
  purse: PromoMark,
  note: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
};

/**
 * The answer contains the player's balances before and after the movement. They differ only if money moved.
 */
export function presentTransaction(given: {
  movement: Movement;
  playerId: string;
  note: string | undefined;
  unit: Unit;
}) {
  const { movement, unit } = given;
  const { account, balance } = getSubject(movement);
  return {
    player_id: given.playerId,
    transaction_id: movement.transactionId,
    type: movement.kind === 'credit' ? ('credit' as const) : ('debit' as const),
    amount: toJsonNumber(movement.amount, unit),
    balance_before: toJsonNumber(balance - changeOf(movement, account), unit),
    balance: toJsonNumber(balance, unit),
    currency: unit.currency,
    ...markPromo(account),
    note: given.note ?? '',
    created_at: new Date(movement.createdAtMs).toISOString(),
  };
}

/** The result is `applied`, or `refused` with a reason. */
export function presentResult(movement: Movement): {
  result: 'applied' | 'refused';
  code?: string;
} {
  if (!isFinalRefusal(movement.result)) return { result: 'applied' };
  return { result: 'refused', code: movement.result };
}

export const StatementLine = named(
  'StatementLine',
  Type.Object({
    sequence: Type.Integer({ description: "The movement's position in the package's journal." }),
    kind: Type.String({
      description: 'credit, debit, bet, win, bet_win, rollback, win_reversal or end_round.',
    }),
    transaction_id: Type.String(),
    amount: Type.Number(),
    change: Type.Number({ description: 'The change of the balance; zero for a refusal.' }),
    balance: Type.Number(),
    result: Type.String(),
    game_id: Nullable(Type.String()),
    round_id: Nullable(Type.String()),
    purse: PromoMark,
    shortfall: Shortfall,
    connection: ConnectionMark,
    note: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  }),
);

/** The parameter `purse` of a statement. Cash and promo money have separate statements. */
export const StatementPurse = Type.Optional(
  Type.Enum(purses, { description: '`cash` by default, or `promo` for the statement of promo money.' }),
);

export function presentStatementLine(
  { movement, note }: JournalEntry,
  unit: Unit,
  names: {
    /** The ids of rounds, by the hash of the round. */
    readonly rounds: ReadonlyMap<string, string>;
    /** The connections that movements came through, by the sequence of the movement. */
    readonly connections: ReadonlyMap<bigint, NamedConnection>;
  },
) {
  return {
    ...presentMovement(movement, unit),
    kind: movement.kind.replace(/^(?:bet|win)_of_/, ''),
    change: toJsonNumber(changeOf(movement, getSubject(movement).account), unit),
    game_id: movement.gameId ?? null,
    round_id: names.rounds.get(movement.roundHash ?? '') ?? null,
    ...markConnection(names.connections.get(movement.sequence)),
    note: note ?? '',
  };
}
