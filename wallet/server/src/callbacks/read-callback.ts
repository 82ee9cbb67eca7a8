// Reads a callback's body into what is asked, and refuses what its action needs and lacks.
import { fail } from '../errors.ts';
import { parseAmount } from '../transactions/amount.ts';
import type { Callback } from './callback.ts';
import type { CallbackBody } from './callback-schema.ts';

export function readCallback(body: CallbackBody, currency: string): Callback {
  refuseOtherCurrency(body, currency);
  const played = {
    playerId: body.player_id,
    gameId: body.game_id ?? undefined,
    roundId: body.round_id ?? undefined,
    roundFinished: body.round_finished ?? false,
    sessionId: body.session_id ?? undefined,
  };
  const amountOf = (field: 'amount' | 'bet_amount' | 'win_amount') =>
    parseAmount(body[field], { currency, field, zero: 'allowed' });
  switch (body.action) {
    case 'bet':
      return { ...played, action: 'bet', transactionId: idOf(body), amount: amountOf('amount') };
    case 'win': {
      const reference = body.reference_transaction_id ?? undefined;
      const transactionId = idOf(body);
      return { ...played, action: 'win', transactionId, amount: amountOf('amount'), reference };
    }
    case 'bet_win': {
      const transactionId = idOf(body);
      const amounts = { betAmount: amountOf('bet_amount'), winAmount: amountOf('win_amount') };
      return { ...played, action: 'bet_win', transactionId, ...amounts };
    }
    case 'rollback':
    case 'refund':
    case 'cancel': {
      const reference = body.reference_transaction_id ?? undefined;
      const transactionId = idOf(body);
      if (reference === undefined) throw missing('reference_transaction_id', 'reference_required');
      return { ...played, action: 'rollback', transactionId, reference };
    }
    case 'end_round': {
      const { roundId } = played;
      const transactionId = body.transaction_id ?? undefined;
      if (roundId === undefined) throw missing('round_id');
      return { ...played, action: 'end_round', transactionId, roundId };
    }
    case 'balance':
      return { ...played, action: 'balance', transactionId: body.transaction_id ?? undefined };
  }
}

const missing = (
  field: string,
  code: 'invalid_parameter' | 'reference_required' = 'invalid_parameter',
) => fail(code, { errors: { [field]: ['is required.'] } });

function idOf(body: CallbackBody): string {
  if (typeof body.transaction_id !== 'string') throw missing('transaction_id');
  return body.transaction_id;
}

function refuseOtherCurrency({ currency: given }: CallbackBody, currency: string): void {
  if (typeof given !== 'string' || given === currency) return;
  throw fail('currency_mismatch', { errors: { currency: [`must be ${currency}.`] } });
}
