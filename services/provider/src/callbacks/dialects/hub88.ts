// Hub88: JSON, signed with RSA-SHA256. Amounts are whole hundred-thousandths, and every answer is HTTP 200.
import { createPrivateKey, sign } from 'node:crypto';
import type { ConnectionOf } from '../../connections/connections.ts';
import type { CallbackBody, Refusal } from '../callback.ts';
import { accepted, type DialectClient, readAmount, readObject, refused, unreadable } from './client.ts';

const unitsPerMain = 100_000;

export const hub88: DialectClient<ConnectionOf<'hub88'>> = {
  paysWinsWithoutBet: false,
  endsRoundsByCall: false,
  write: ({ privateKeyPem }, body, { nonce }) => {
    const { path, content } = writeContent(body, nonce);
    const text = JSON.stringify(content);
    const signature = sign('sha256', Buffer.from(text), createPrivateKey(privateKeyPem));
    const headers = {
      'content-type': 'application/json',
      'x-hub88-signature': signature.toString('base64'),
    };
    return { method: 'POST', path, headers, body: text };
  },
  read: (status, text) => {
    const answer = readObject(status, text);
    const code = answer?.status;
    if (!answer || typeof code !== 'string') return unreadable(status);
    const units = readAmount(answer.balance);
    const balance = units === null ? null : units / unitsPerMain;
    if (code === 'RS_OK') return accepted(balance);
    if (code === 'RS_ERROR_UNKNOWN') return { kind: 'unknown', status, reason: code };
    return refused(status, {
      code,
      balance,
      refusal: refusals.get(code),
      isFinal: code !== 'RS_ERROR_INVALID_SIGNATURE' && code !== 'RS_ERROR_INVALID_PARTNER',
    });
  },
};

const refusals: ReadonlyMap<string, Refusal> = new Map([
  ['RS_ERROR_NOT_ENOUGH_MONEY', 'insufficient_funds'],
  ['RS_ERROR_TOKEN_EXPIRED', 'session_expired'],
  ['RS_ERROR_INVALID_TOKEN', 'session_expired'],
]);

function writeContent(body: CallbackBody, nonce: string): { path: string; content: object } {
  const { action, transaction_id: id } = body;
  // All attempts of one transaction have the same ids.
  const request = { request_uuid: action === 'balance' ? nonce : `request-${id}` };
  const player = { user: body.player_id, token: body.session_id, ...request, game_code: body.game_id };
  if (action === 'balance') {
    return { path: '/user/balance', content: { ...player, currency: body.currency } };
  }
  const round = { transaction_uuid: id, supplier_transaction_id: id, round: body.round_id };
  const end = { round_closed: body.round_finished };
  const reference = { reference_transaction_uuid: body.reference_transaction_id };
  if (action === 'rollback') {
    return { path: '/transaction/rollback', content: { ...player, ...round, ...end, ...reference } };
  }
  const amount = Math.round(Number(body.amount) * unitsPerMain);
  const money = { currency: body.currency, amount, is_free: false };
  const content = { ...player, ...round, ...end, ...money, ...(action === 'win' && reference) };
  return { path: `/transaction/${action}`, content };
}
