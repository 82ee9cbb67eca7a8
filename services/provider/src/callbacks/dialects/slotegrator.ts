// Slotegrator: forms to one address, signed with HMAC-SHA1. Every answer is HTTP 200.
import { createHmac } from 'node:crypto';
import type { ConnectionOf } from '../../connections/connections.ts';
import type { CallbackBody } from '../callback.ts';
import { accepted, type DialectClient, formatAmount, readObject, refused, unreadable } from './client.ts';

export const slotegrator: DialectClient<ConnectionOf<'slotegrator'>> = {
  paysWinsWithoutBet: true,
  endsRoundsByCall: false,
  write: ({ merchantId, merchantKey }, body, { nowMs, nonce }) => {
    const fields = listFields(body);
    const signed: [string, string][] = [
      ['X-Merchant-Id', merchantId],
      ['X-Timestamp', String(Math.floor(nowMs / 1000))],
      ['X-Nonce', nonce],
    ];
    const text = encodeFields([...fields, ...signed].sort(byFirstName));
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...Object.fromEntries(signed),
      'X-Sign': createHmac('sha1', merchantKey).update(text).digest('hex'),
    };
    return { method: 'POST', path: '', headers, body: encodeFields(fields) };
  },
  read: (status, text) => {
    const answer = readObject(status, text);
    if (!answer) return unreadable(status);
    const { error_code: code } = answer;
    if (code === undefined && status < 300) return accepted(answer.balance);
    if (code === 'INSUFFICIENT_FUNDS') return refused(status, { code, refusal: 'insufficient_funds' });
    // All other errors have one code, whether the wallet refused the call or failed. So the outcome of the
    // call is unknown.
    return { kind: 'unknown', status, reason: String(answer.error_description ?? code ?? status) };
  },
};

type Field = readonly [name: string, value: string];

function listFields(body: CallbackBody): Field[] {
  const { action, reference_transaction_id: reference } = body;
  const player: Field[] = [
    ['player_id', body.player_id],
    ['currency', String(body.currency)],
    ['session_id', String(body.session_id)],
  ];
  if (action === 'balance') return [['action', action], ...player];
  const game: Field[] = [
    ...player,
    ['game_uuid', String(body.game_id)],
    ['round_id', String(body.round_id)],
    ['transaction_id', String(body.transaction_id)],
  ];
  const amount = formatAmount(body.amount);
  if (action !== 'rollback') {
    const finished: Field = ['finished', body.round_finished === true ? '1' : '0'];
    return [['action', action], ...game, ['amount', amount], ['type', action], finished];
  }
  if (body.reference_action !== 'win') {
    return [['action', 'refund'], ...game, ['amount', amount], ['bet_transaction_id', String(reference)]];
  }
  const original = 'rollback_transactions[0]';
  return [
    ['action', 'rollback'],
    ...game,
    [`${original}[action]`, 'win'],
    [`${original}[transaction_id]`, String(reference)],
    [`${original}[amount]`, amount],
  ];
}

/**
 * Compares fields by the name before the first bracket, as PHP's `ksort` does. The parts of a nested field
 * stay in their order.
 */
function byFirstName([a]: Field, [b]: Field): number {
  const [first = '', second = ''] = [a, b].map((name) => name.replace(/\[.*$/, ''));
  return first < second ? -1 : Number(first > second);
}

/** Encodes fields as PHP's `http_build_query` does. */
const encodeFields = (fields: readonly Field[]): string =>
  fields.map((field) => field.map(encode).join('=')).join('&');

const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
