// Speaks as Valkyrie, which calls the wallet for its game providers.
import { formatDecimal } from '../../connections/dialects/amounts.ts';
import { signValkyrieRequest } from '../../connections/dialects/valkyrie/signature.ts';
import type { Answer, Caller, Message, Move, Signing, Speaker, SpeakerTerms } from '../speaker.ts';
import {
  asObject,
  type Fields,
  listTooFine,
  notJson,
  postJson,
  readDecimal,
  readObject,
  readText,
  writeAmount,
} from './wire.ts';

const codes: Speaker['codes'] = {
  signature: ['PAM_ERR_API_TOKEN'],
  invalid: ['PAM_ERR_UNDEFINED', 'PAM_ERR_NEGATIVE_STAKE'],
  funds: ['PAM_ERR_CASH_OVERDRAFT'],
  promo_funds: ['PAM_ERR_PROMO_OVERDRAFT'],
  limit: ['PAM_ERR_BET_NOT_ALLOWED'],
  player: ['PAM_ERR_PLAYER_NOT_FOUND', 'PAM_ERR_ACCOUNT_NOT_FOUND', 'PAM_ERR_SESSION_NOT_FOUND'],
  currency: ['PAM_ERR_TRANS_CURRENCY'],
  session: ['PAM_ERR_SESSION_NOT_FOUND'],
  expired: ['PAM_ERR_SESSION_EXPIRED'],
  blocked: ['PAM_ERR_BET_NOT_ALLOWED'],
  conflict: ['PAM_ERR_DUPLICATE_TRANS'],
  rolled_back: ['PAM_ERR_TRANS_ALREADY_CANCELLED'],
  unknown_bet: ['PAM_ERR_TRANS_NOT_FOUND'],
  unknown_rollback: ['PAM_ERR_CANCEL_NOT_FOUND'],
  settled: ['PAM_ERR_TRANS_ALREADY_SETTLED'],
};

const defaultProvider = 'evolution';

export interface ValkyrieSpeaker extends Speaker {
  readonly dialect: 'valkyrie';
  readSession(caller: Caller): Message;
  findTransaction(caller: Caller, id: string): Message;
}

export function createValkyrieSpeaker({ credentials, decimals }: SpeakerTerms): ValkyrieSpeaker {
  const { token = '', provider = defaultProvider } = credentials;
  const query = `provider=${encodeURIComponent(provider)}`;
  const get = (caller: Caller, path: string, more = ''): Message => ({
    method: 'GET',
    path,
    query: query + more,
    headers: { 'x-player-token': caller.session },
    body: Buffer.alloc(0),
  });
  const post = (caller: Caller, path: string, fields: Fields): Message => {
    const message = postJson(path, fields);
    return { ...message, headers: { ...message.headers, 'x-player-token': caller.session } };
  };
  const playerPath = ({ playerId }: Caller) => `/players/${encodeURIComponent(playerId)}`;
  const transact = (type: string, caller: Caller, fields: Fields): Message => ({
    ...post(caller, `${playerPath(caller)}/transactions`, {
      transactionType: type,
      cashAmount: 0,
      bonusAmount: 0,
      promoAmount: 0,
      currency: caller.currency,
      provider,
      transactionDateTime: new Date().toISOString(),
      providerGameId: caller.gameId,
      ...fields,
    }),
    query,
  });
  const fieldsOf = ({ id, round, amount, more }: Move, betRef: string) => ({
    cashAmount: writeAmount(amount, (minor) => formatDecimal(minor, decimals)),
    providerTransactionId: id,
    providerBetRef: betRef,
    providerRoundId: round,
    ...more,
  });
  return {
    dialect: 'valkyrie',
    codes,
    showsBalance: ['funds', 'limit', 'promo_funds'],
    acceptsUnknownRollback: false,
    badAmounts: ['-1.00', '"1.00"', 'null', '1e400'],
    tooFineAmounts: listTooFine(decimals),
    sign: (message, signing) => sign(token, message, signing),
    balance: (caller) => get(caller, `${playerPath(caller)}/balance`),
    bet: (caller, move) => transact('WITHDRAW', caller, fieldsOf(move, move.id)),
    win: (caller, move) => transact('DEPOSIT', caller, fieldsOf(move, move.bet)),
    rollback: (caller, { id, of, round }) =>
      transact('CANCEL', caller, { providerTransactionId: id, providerBetRef: of, providerRoundId: round }),
    reverseWin: undefined,
    malformed: (caller, text) => ({ ...transact('WITHDRAW', caller, {}), body: Buffer.from(text) }),
    readSession: (caller) => get(caller, '/players/session'),
    findTransaction: (caller, id) =>
      get(caller, `${playerPath(caller)}/transactions`, `&providerTransactionId=${encodeURIComponent(id)}`),
    read: (status, text) => read(status, text, decimals),
    hasRightStatus: ({ status, accepted }) => (accepted ? status === 200 : status < 500),
    isSameAnswer: (first, repeat, present) =>
      repeat.accepted && repeat.id === first.id && repeat.balance === present,
  };
}

function sign(token: string, message: Message, signing: Signing = 'right') {
  const bearer = signing === 'wrong' ? `${token}-wrong` : token;
  const signature = signing === 'missing' ? {} : signValkyrieRequest(bearer);
  return { ...message, headers: { ...message.headers, ...signature } };
}

function read(status: number, text: string, decimals: number): Answer {
  const body = readObject(text);
  if (!body) return notJson(status);
  const result = asObject(body.transactionResult);
  const error = asObject(body.error);
  const balance = asObject(result?.balance) ?? asObject(body.balance);
  const accepted = body.status === 'OK';
  return {
    status,
    accepted,
    code: accepted ? '' : (readText(error?.code) ?? ''),
    detail: readText(error?.message) ?? '',
    balance: readDecimal(balance?.cashAmount, decimals),
    id: readText(result?.transactionId),
    body,
  };
}
