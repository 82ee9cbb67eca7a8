// Speaks as a SoftSwiss provider.
import { formatDecimal } from '../../connections/dialects/amounts.ts';
import { signatureHeader, signBody } from '../../connections/dialects/softswiss/signature.ts';
import type {
  Answer,
  Caller,
  Message,
  Move,
  RollbackMove,
  Signing,
  Speaker,
  SpeakerTerms,
} from '../speaker.ts';
import {
  asObject,
  type Fields,
  hasEqualBody,
  listTooFine,
  notJson,
  postJson,
  readDecimal,
  readObject,
  readText,
  writeAmount,
} from './wire.ts';

const codes: Speaker['codes'] = {
  signature: ['403'],
  invalid: ['400'],
  funds: ['100'],
  promo_funds: ['100'],
  limit: ['105'],
  player: ['101'],
  currency: ['154'],
  session: ['400'],
  expired: ['400'],
  blocked: ['110'],
  conflict: ['400'],
  rolled_back: ['409'],
  unknown_bet: ['404'],
  unknown_rollback: ['404'],
  settled: ['400'],
};

/** One entry of `transactions` in a request to `/betwin`. */
export interface SoftswissLeg {
  readonly type: 'bet' | 'win';
  readonly id: string;
  readonly amount: Move['amount'];
}

export interface SoftswissSpeaker extends Speaker {
  readonly dialect: 'softswiss';
  batch(caller: Caller, round: string, legs: readonly SoftswissLeg[]): Message;
  finish(caller: Caller, round: string): Message;
}

export function createSoftswissSpeaker({ credentials, decimals }: SpeakerTerms): SoftswissSpeaker {
  const { token = '' } = credentials;
  const toAmount = (amount: Move['amount']) =>
    writeAmount(amount, (minor) => `"${formatDecimal(minor, decimals)}"`);
  const batch = (caller: Caller, round: string, legs: readonly SoftswissLeg[], more: Fields = {}) =>
    postJson('/betwin', {
      ...fieldsOf(caller),
      round_id: round,
      transactions: legs.map(({ type, id, amount }) => ({ id_provider: id, type, amount: toAmount(amount) })),
      ...more,
    });
  return {
    dialect: 'softswiss',
    codes,
    showsBalance: ['funds', 'limit'],
    acceptsUnknownRollback: true,
    badAmounts: ['"-1.00"', '"0.00"', '"1e2"', '"NaN"', '"one"', '""', 'null'],
    tooFineAmounts: listTooFine(decimals).map((text) => `"${text}"`),
    sign: (message, signing) => sign(token, message, signing),
    balance: (caller) => postJson('/balance', fieldsOf(caller)),
    batch,
    finish: ({ playerId, currency }, round) =>
      postJson('/finish', { account_id: playerId, currency, round_id: round }),
    bet: (caller, { round, more, ...leg }) => batch(caller, round, [{ type: 'bet', ...leg }], more),
    win: (caller, { round, more, ...leg }) => batch(caller, round, [{ type: 'win', ...leg }], more),
    rollback,
    reverseWin: rollback,
    malformed: (_caller, text) => ({ ...postJson('/betwin', {}), body: Buffer.from(text) }),
    read: (status, text) => read(status, text, decimals),
    hasRightStatus: ({ status, accepted }) => status === (accepted ? 200 : 400),
    isSameAnswer: hasEqualBody,
  };
}

const fieldsOf = ({ playerId, currency, gameId }: Caller) => ({
  account_id: playerId,
  currency,
  game_id: gameId,
});

const rollback = (caller: Caller, { id, of, round }: RollbackMove): Message =>
  postJson('/rollback', {
    ...fieldsOf(caller),
    round_id_provider: round,
    transactions: [{ id_provider: id, type: 'rollback', original_id_provider: of }],
  });

function sign(token: string, message: Message, signing: Signing = 'right') {
  const key = signing === 'wrong' ? `${token}-wrong` : token;
  const signature = signing === 'missing' ? {} : { [signatureHeader]: signBody(key, message.body) };
  return { ...message, headers: { ...message.headers, ...signature } };
}

function read(status: number, text: string, decimals: number): Answer {
  const body = readObject(text);
  if (!body) return notJson(status);
  const meta = asObject(body.meta) ?? {};
  const [first] = Array.isArray(body.transactions) ? body.transactions : [];
  return {
    status,
    accepted: status === 200,
    code: status === 200 ? '' : String(meta.api_code ?? ''),
    detail: readText(meta.api_message) ?? '',
    balance: readDecimal(body.balance ?? meta.balance, decimals),
    id: readText(asObject(first)?.id),
    body,
  };
}
