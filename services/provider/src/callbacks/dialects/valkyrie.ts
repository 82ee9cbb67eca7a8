// Valkyrie's PAM API: JSON with a bearer token, and the game session in a header.
import type { ConnectionOf } from '../../connections/connections.ts';
import type { CallbackBody, Refusal } from '../callback.ts';
import { accepted, asObject, type DialectClient, readObject, refused, unreadable } from './client.ts';

/**
 * The name of the game provider that the stand-in sends in the query. Calls with different names may have the
 * same transaction id.
 */
const provider = 'counterfoil';

const types: Readonly<Record<string, string>> = { bet: 'WITHDRAW', win: 'DEPOSIT', rollback: 'CANCEL' };

export const valkyrie: DialectClient<ConnectionOf<'valkyrie'>> = {
  paysWinsWithoutBet: false,
  endsRoundsByCall: false,
  write: ({ token }, body, { nowMs }) => {
    const player = `/players/${encodeURIComponent(body.player_id)}`;
    const headers = { authorization: `Bearer ${token}`, 'x-player-token': String(body.session_id) };
    if (body.action === 'balance') {
      return { method: 'GET', path: `${player}/balance?provider=${provider}`, headers };
    }
    return {
      method: 'POST',
      path: `${player}/transactions?provider=${provider}`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(writeTransaction(body, nowMs)),
    };
  },
  read: (status, text) => {
    const answer = readObject(status, text);
    if (!answer) return unreadable(status);
    const balances = asObject(answer.balance ?? asObject(answer.transactionResult).balance);
    const balance = balances.cashAmount;
    if (answer.status === 'OK') return accepted(balance);
    const { code } = asObject(answer.error);
    if (typeof code !== 'string') return unreadable(status);
    if (code === 'PAM_ERR_TIMEOUT') return { kind: 'unknown', status, reason: code };
    const isFinal = code !== 'PAM_ERR_API_TOKEN';
    return refused(status, { code, balance, isFinal, refusal: findRefusal(code) });
  },
};

function findRefusal(code: string): Refusal | undefined {
  if (code === 'PAM_ERR_CASH_OVERDRAFT') return 'insufficient_funds';
  return code.startsWith('PAM_ERR_SESSION_') ? 'session_expired' : undefined;
}

const writeTransaction = (body: CallbackBody, nowMs: number) => ({
  transactionType: types[body.action],
  currency: body.currency,
  cashAmount: body.amount,
  bonusAmount: 0,
  promoAmount: 0,
  transactionDateTime: new Date(nowMs).toISOString(),
  providerTransactionId: body.transaction_id,
  // Withdrawal, deposit and cancel of one bet have the same reference.
  providerBetRef: body.reference_transaction_id ?? body.transaction_id,
  providerGameId: body.game_id,
  providerRoundId: body.round_id,
  isGameOver: body.round_finished,
});
