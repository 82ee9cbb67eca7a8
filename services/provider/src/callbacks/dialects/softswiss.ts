// SoftSwiss: JSON, signed with HMAC-SHA256 and the token of the connection. Amounts are texts above zero.
import { createHmac } from 'node:crypto';
import type { ConnectionOf } from '../../connections/connections.ts';
import type { CallbackBody } from '../callback.ts';
import {
  accepted,
  asObject,
  type DialectClient,
  formatAmount,
  readObject,
  refused,
  unreadable,
} from './client.ts';

export const softswiss: DialectClient<ConnectionOf<'softswiss'>> = {
  paysWinsWithoutBet: true,
  endsRoundsByCall: true,
  write: ({ token }, body) => {
    const { path, content } = writeContent(body);
    const text = JSON.stringify(content);
    const sign = createHmac('sha256', token).update(text).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-request-sign': sign };
    return { method: 'POST', path, headers, body: text };
  },
  read: (status, text) => {
    const answer = readObject(status, text);
    if (!answer) return unreadable(status);
    if (status < 300) return accepted(answer.balance);
    const { api_code: apiCode, balance } = asObject(answer.meta);
    const code = String(apiCode ?? answer.code ?? status);
    // A refusal because of a wrong signature is not final: the call can succeed once the token in the wallet
    // is corrected.
    const isFinal = code !== '403';
    const refusal = code === '100' ? 'insufficient_funds' : undefined;
    return refused(status, { code, balance, isFinal, refusal });
  },
};

function writeContent(body: CallbackBody): { path: string; content: object } {
  const player = { account_id: body.player_id, currency: body.currency };
  const game = { ...player, game_id: body.game_id, session_id: body.session_id };
  switch (body.action) {
    case 'balance':
      return { path: '/balance', content: game };
    case 'end_round':
      return { path: '/finish', content: { ...player, round_id: body.round_id } };
    case 'rollback': {
      const transactions = listRollbacks(body);
      const content = { ...game, round_id_provider: body.round_id, finished: true, transactions };
      return { path: '/rollback', content };
    }
    default: {
      // A call with both the bet and the win ends the round. Otherwise the separate call `/finish` ends the
      // round.
      const finished = body.action === 'bet_win';
      const content = { ...game, round_id: body.round_id, finished, transactions: listLegs(body) };
      return { path: '/betwin', content };
    }
  }
}

function listLegs(body: CallbackBody): object[] {
  const leg = (type: string, id: unknown, amount: unknown) => ({
    id_provider: id,
    type,
    amount: formatAmount(amount),
  });
  if (body.action === 'win') return [leg('win', body.transaction_id, body.amount)];
  const legs = [leg('bet', body.transaction_id, body.amount)];
  if (body.action !== 'bet_win' || body.win_amount === 0) return legs;
  return [...legs, leg('win', body.win_transaction_id, body.win_amount)];
}

/**
 * Lists the rollback of the bet before the rollback of the win. The wallet takes back only the
 * part of a win that the balance covers. So the stake must be returned first.
 */
function listRollbacks(body: CallbackBody): object[] {
  const rollback = (id: unknown, original: unknown) => ({
    id_provider: id,
    type: 'rollback',
    original_id_provider: original,
  });
  const first = rollback(body.transaction_id, body.reference_transaction_id);
  const { win_transaction_id: win } = body;
  return win === undefined ? [first] : [first, rollback(`${win}-rollback`, win)];
}
