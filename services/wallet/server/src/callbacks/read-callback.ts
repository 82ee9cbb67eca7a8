// Reads a callback's body. Refuses a wrong currency, an invalid amount, and a body without a field that its
// action needs.

import type { Unit } from '@counterfoil/kit/money';
import { fail } from '../errors.ts';
import { parseAmount } from '../wire/amount.ts';
import type { Callback } from './callback.ts';
import type { CallbackBody } from './callback-schema.ts';

/**
 * The properties are listed one by one. On Node 20, an object spread took longer than the rest of this
 * function.
 */
export function readCallback(body: CallbackBody, unit: Unit): Callback {
  refuseOtherCurrency(body, unit.currency);
  const playerId = body.player_id;
  const gameId = body.game_id ?? undefined;
  const roundId = body.round_id ?? undefined;
  const roundFinished = body.round_finished ?? false;
  const sessionId = body.session_id ?? undefined;
  const reference = body.reference_transaction_id ?? undefined;
  const { action } = body;
  switch (action) {
    case 'bet': {
      const transactionId = idOf(body);
      const amount = amountOf(body, 'amount', unit);
      return { action, transactionId, amount, playerId, gameId, roundId, roundFinished, sessionId };
    }
    case 'win':
      return {
        action,
        transactionId: idOf(body),
        amount: amountOf(body, 'amount', unit),
        reference,
        playerId,
        gameId,
        roundId,
        roundFinished,
        sessionId,
      };
    case 'bet_win':
      return {
        action,
        transactionId: idOf(body),
        betAmount: amountOf(body, 'bet_amount', unit),
        winAmount: amountOf(body, 'win_amount', unit),
        playerId,
        gameId,
        roundId,
        roundFinished,
        sessionId,
      };
    case 'rollback':
    case 'refund':
    case 'cancel': {
      const transactionId = idOf(body);
      if (reference === undefined) throw missing('reference_transaction_id', 'reference_required');
      return {
        action: 'rollback',
        transactionId,
        reference,
        playerId,
        gameId,
        roundId,
        roundFinished,
        sessionId,
      };
    }
    case 'end_round':
    case 'balance': {
      const transactionId = body.transaction_id ?? undefined;
      if (action === 'balance') {
        return { action, transactionId, playerId, gameId, roundId, roundFinished, sessionId };
      }
      if (roundId === undefined) throw missing('round_id');
      return { action, transactionId, playerId, gameId, roundId, roundFinished, sessionId };
    }
  }
}

const amountOf = (body: CallbackBody, field: 'amount' | 'bet_amount' | 'win_amount', unit: Unit) =>
  parseAmount(body[field], { unit, field, zero: 'allowed' });

const missing = (field: string, code: 'invalid_parameter' | 'reference_required' = 'invalid_parameter') =>
  fail(code, { errors: { [field]: ['is required.'] } });

function idOf(body: CallbackBody): string {
  if (typeof body.transaction_id !== 'string') throw missing('transaction_id');
  return body.transaction_id;
}

function refuseOtherCurrency({ currency: given }: CallbackBody, currency: string): void {
  if (typeof given !== 'string' || given === currency) return;
  throw fail('currency_mismatch', { errors: { currency: [`must be ${currency}.`] } });
}
