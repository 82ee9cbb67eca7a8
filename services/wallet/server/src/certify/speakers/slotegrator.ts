// Speaks as Slotegrator, with forms.
import { randomBytes } from 'node:crypto';
import { formatDecimal } from '../../connections/dialects/amounts.ts';
import { flatten, readBody } from '../../connections/dialects/slotegrator/params.ts';
import { encodeForm, type Merchant, signParams } from '../../connections/dialects/slotegrator/signature.ts';
import type { Answer, Caller, Message, Move, Signing, Speaker, SpeakerTerms } from '../speaker.ts';
import { listTooFine, notJson, readDecimal, readObject, readText } from './wire.ts';

/** The code of nearly all refusals. The protocol has only one other code, which is for missing funds. */
const failed = ['INTERNAL_ERROR'];
const codes: Speaker['codes'] = {
  signature: failed,
  invalid: failed,
  funds: ['INSUFFICIENT_FUNDS'],
  promo_funds: ['INSUFFICIENT_FUNDS'],
  limit: failed,
  player: failed,
  currency: failed,
  session: failed,
  expired: failed,
  blocked: failed,
  conflict: failed,
  rolled_back: failed,
  unknown_bet: failed,
  unknown_rollback: failed,
  settled: failed,
};

/** The age of a stale signature: twice the clock difference that the wallet must accept. */
const staleSeconds = 600;

export interface SlotegratorSpeaker extends Speaker {
  readonly dialect: 'slotegrator';
  /** Rolls back several transactions with one request. */
  rollbackList(
    caller: Caller,
    given: { id: string; round: string; entries: readonly (readonly ['bet' | 'win', string])[] },
  ): Message;
}

export function createSlotegratorSpeaker({ credentials, decimals }: SpeakerTerms): SlotegratorSpeaker {
  const { merchant_id: merchantId = '', merchant_key: merchantKey = '' } = credentials;
  const toText = (amount: Move['amount']) =>
    typeof amount === 'bigint' ? formatDecimal(amount, decimals) : amount.text;
  const play = (action: 'bet' | 'win', caller: Caller, { id, round, amount, more }: Move) =>
    postForm(caller, {
      action,
      type: action,
      transaction_id: id,
      round_id: round,
      amount: toText(amount),
      ...more,
    });
  const rollbackList: SlotegratorSpeaker['rollbackList'] = (caller, { id, round, entries }) =>
    postForm(caller, {
      action: 'rollback',
      transaction_id: id,
      round_id: round,
      rollback_transactions: entries.map(([action, of]) => ({ action, transaction_id: of, amount: '0' })),
    });
  return {
    dialect: 'slotegrator',
    codes,
    showsBalance: [],
    acceptsUnknownRollback: true,
    badAmounts: ['-1.00', '1e2', 'NaN', 'one', ''],
    tooFineAmounts: listTooFine(decimals),
    sign: (message, signing) => sign({ merchantId, merchantKey }, message, signing),
    balance: (caller) => postForm(caller, { action: 'balance' }),
    bet: (caller, move) => play('bet', caller, move),
    win: (caller, move) => play('win', caller, move),
    rollback: (caller, { id, of, round }) =>
      postForm(caller, {
        action: 'refund',
        transaction_id: id,
        bet_transaction_id: of,
        round_id: round,
        amount: '0',
      }),
    reverseWin: (caller, { id, of, round }) => rollbackList(caller, { id, round, entries: [['win', of]] }),
    rollbackList,
    malformed: (caller, text) => ({
      ...postForm(caller, {}),
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(text),
    }),
    read: (status, text) => read(status, text, decimals),
    hasRightStatus: ({ status }) => status === 200,
    // The protocol requires only that the answer to a repeat has the id of the first answer. It may have the
    // balance of the first answer or the present balance.
    isSameAnswer: (first, repeat, present) =>
      repeat.accepted &&
      repeat.id === first.id &&
      (repeat.balance === first.balance || repeat.balance === present),
  };
}

const postForm = ({ playerId, currency, gameId, session }: Caller, fields: object): Message => {
  const all = {
    player_id: playerId,
    currency,
    game_uuid: gameId,
    ...(session !== '' && { session_id: session }),
    ...fields,
  };
  return {
    method: 'POST',
    path: '',
    query: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(encodeForm(flatten(all) ?? new Map())),
  };
};

function sign(merchant: Merchant, message: Message, signing: Signing = 'right') {
  const stamp = {
    timestamp: Math.floor(Date.now() / 1000) - (signing === 'stale' ? staleSeconds : 0),
    nonce: randomBytes(16).toString('hex'),
  };
  const { merchantId, merchantKey } = merchant;
  const key = signing === 'wrong' ? `${merchantKey}-wrong` : merchantKey;
  const params = readBody(message)?.params ?? new Map();
  const { 'x-sign': signature = '', ...others } = signParams({ merchantId, merchantKey: key }, params, stamp);
  const signed = signing === 'missing' ? others : { ...others, 'x-sign': signature };
  return { ...message, headers: { ...message.headers, ...signed } };
}

function read(status: number, text: string, decimals: number): Answer {
  const body = readObject(text);
  if (!body) return notJson(status);
  const code = readText(body.error_code);
  return {
    status,
    accepted: code === undefined && status === 200,
    code: code ?? '',
    detail: readText(body.error_description) ?? '',
    balance: readDecimal(body.balance, decimals),
    id: readText(body.transaction_id),
    body,
  };
}
