// The calls of each dialect: requests and signatures, and the meaning of answers.
// The expected signatures were computed with OpenSSL and Python.
import { describe, expect, it } from 'vitest';
import type { CallbackBody } from '../src/callbacks/callback.ts';
import { formatAmount } from '../src/callbacks/dialects/client.ts';
import { findClient } from '../src/callbacks/dialects/clients.ts';
import { rollbackOf } from '../src/callbacks/outbox.ts';
import { type Connection, parseConnection } from '../src/connections/connections.ts';
import { connectionEntries } from './connection-entries.ts';

const stamp = { nowMs: Date.parse('2026-01-01T00:00:00Z'), nonce: 'n-1' };

const bet: CallbackBody = {
  action: 'bet',
  player_id: 'p 1',
  session_id: 'gs_1',
  game_id: 'moon-harvest',
  round_id: 'round-7',
  transaction_id: 'bet-7',
  amount: 1.5,
  currency: 'EUR',
  round_finished: false,
};
const win: CallbackBody = {
  ...bet,
  ...{ action: 'win', transaction_id: 'win-7', reference_transaction_id: 'bet-7', amount: 4.00001 },
  round_finished: true,
};
const undo = (body: CallbackBody) => rollbackOf({ uid: 'UID_test', connection: 'con_1', body });

function given(dialect: keyof typeof connectionEntries) {
  const connection: Connection = parseConnection(connectionEntries[dialect]('https://w.example/providers/x'));
  const client = findClient(connection);
  const write = (body: CallbackBody) => client.write(connection, body, stamp);
  const read = (status: number, content: object | string) =>
    client.read(status, typeof content === 'string' ? content : JSON.stringify(content));
  const content = (body: CallbackBody) => JSON.parse(write(body).body ?? '');
  return { write, read, content };
}

it('amounts have two to eight decimals, and no digit is lost', () => {
  const texts = [1.5, 0, 20, 0.00001, 0.07, 1234567.89, 0.00000001, 19.99].map(formatAmount);
  expect(texts).toEqual(['1.50', '0.00', '20.00', '0.00001', '0.07', '1234567.89', '0.00000001', '19.99']);
});

const html = '<h1>Gateway</h1>';

it.each(['softswiss', 'slotegrator', 'valkyrie', 'hub88'] as const)(
  'the outcome of a %s call is unknown after a failure of the wallet or after a page of a proxy',
  (dialect) => {
    const { read } = given(dialect);
    for (const status of [500, 503, 302]) expect(read(status, {})).toMatchObject({ kind: 'unknown', status });
    expect(read(200, html)).toMatchObject({ kind: 'unknown', status: 200 });
  },
);

describe('the provider in the dialect softswiss', () => {
  const { write, read, content } = given('softswiss');
  const game = { account_id: 'p 1', currency: 'EUR', game_id: 'moon-harvest', session_id: 'gs_1' };

  it('the provider signs the body of a bet', () => {
    expect(write(bet)).toEqual({
      method: 'POST',
      path: '/betwin',
      headers: {
        'content-type': 'application/json',
        'x-request-sign': 'c2bc6a223df1111c0544303eae4c16493d7780fcd752149a7f3395a63b1b381d',
      },
      body:
        '{"account_id":"p 1","currency":"EUR","game_id":"moon-harvest","session_id":"gs_1",' +
        '"round_id":"round-7","finished":false,' +
        '"transactions":[{"id_provider":"bet-7","type":"bet","amount":"1.50"}]}',
    });
  });

  it('the provider sends a win, a balance read and the end of a round', () => {
    expect(content(win).transactions).toEqual([{ id_provider: 'win-7', type: 'win', amount: '4.00001' }]);
    expect([write({ ...bet, action: 'balance' }).path, content({ ...bet, action: 'balance' })]).toEqual([
      '/balance',
      game,
    ]);
    const end = { ...bet, action: 'end_round' };
    const { account_id, currency } = game;
    expect([write(end).path, content(end)]).toEqual([
      '/finish',
      { account_id, currency, round_id: 'round-7' },
    ]);
  });

  it('the provider sends bet and win in one call, and rolls both back in one call, bet first', () => {
    const both = { ...bet, action: 'bet_win', win_amount: 3, win_transaction_id: 'win-7' };
    expect(content(both)).toMatchObject({
      finished: true,
      transactions: [
        { id_provider: 'bet-7', type: 'bet', amount: '1.50' },
        { id_provider: 'win-7', type: 'win', amount: '3.00' },
      ],
    });
    expect(content({ ...both, win_amount: 0 }).transactions).toHaveLength(1);
    expect(write(undo(both)).path).toBe('/rollback');
    expect(content(undo(both))).toEqual({
      ...game,
      round_id_provider: 'round-7',
      finished: true,
      transactions: [
        { id_provider: 'bet-7-rollback', type: 'rollback', original_id_provider: 'bet-7' },
        { id_provider: 'win-7-rollback', type: 'rollback', original_id_provider: 'win-7' },
      ],
    });
  });

  it('the provider recognises balances, insufficient funds and refused credentials in answers', () => {
    expect(read(200, { balance: '100.07' })).toMatchObject({ kind: 'accepted', answer: { balance: 100.07 } });
    const error = (api_code: string, more = {}) => ({
      code: 'invalid_argument',
      meta: { api_code, ...more },
    });
    expect(read(400, error('100', { balance: '0.50' }))).toMatchObject({
      ...{ kind: 'refused', refusal: 'insufficient_funds', isFinal: true },
      answer: { code: '100', balance: 0.5 },
    });
    expect(read(400, error('403'))).toMatchObject({ kind: 'refused', isFinal: false });
    expect(read(400, error('110'))).toMatchObject({ kind: 'refused', isFinal: true });
  });
});

describe('the provider in the dialect hub88', () => {
  const { write, read, content } = given('hub88');

  it('the provider writes the amount of a bet in hundred-thousandths, and signs the body', () => {
    expect(write(bet)).toEqual({
      method: 'POST',
      path: '/transaction/bet',
      headers: {
        'content-type': 'application/json',
        'x-hub88-signature':
          'HF+NpzsTuUan+yMXOvMVtOTkmRwPhyv50GO12Ej89Vj1uearimVWLquW4CAfChZGAr4qU7MXBEy6jLrA2tEAia' +
          'h7qINAHtDrfj2g8oXoJ337dXCPmNxHY6XpXDTI/HnBn8lHRi8XQPV+8wgUJM3TGjvfyn8AfMgrtFPwyRjwUNM=',
      },
      body:
        '{"user":"p 1","token":"gs_1","request_uuid":"request-bet-7","game_code":"moon-harvest",' +
        '"transaction_uuid":"bet-7","supplier_transaction_id":"bet-7","round":"round-7",' +
        '"round_closed":false,"currency":"EUR","amount":150000,"is_free":false}',
    });
  });

  it('the provider in the dialect hub88 refers to the bet in wins and rollbacks', () => {
    expect(content(win)).toMatchObject({
      ...{ transaction_uuid: 'win-7', reference_transaction_uuid: 'bet-7', amount: 400001 },
      round_closed: true,
    });
    expect([write(undo(bet)).path, content(undo(bet))]).toMatchObject([
      '/transaction/rollback',
      { user: 'p 1', transaction_uuid: 'bet-7-rollback', reference_transaction_uuid: 'bet-7' },
    ]);
    expect([write({ ...bet, action: 'balance' }).path, content({ ...bet, action: 'balance' })]).toEqual([
      '/user/balance',
      { user: 'p 1', token: 'gs_1', request_uuid: 'n-1', game_code: 'moon-harvest', currency: 'EUR' },
    ]);
  });

  it('the provider reads from the status whether the outcome is accepted, refused or unknown', () => {
    const answer = (status: string) => read(200, { status, balance: 10_007_000 });
    expect(answer('RS_OK')).toMatchObject({ kind: 'accepted', answer: { balance: 100.07 } });
    expect(answer('RS_ERROR_UNKNOWN')).toMatchObject({ kind: 'unknown' });
    expect(answer('RS_ERROR_NOT_ENOUGH_MONEY')).toMatchObject({
      ...{ kind: 'refused', refusal: 'insufficient_funds', isFinal: true },
      answer: { balance: 100.07 },
    });
    expect(answer('RS_ERROR_TOKEN_EXPIRED')).toMatchObject({ refusal: 'session_expired' });
    expect(answer('RS_ERROR_INVALID_SIGNATURE')).toMatchObject({ kind: 'refused', isFinal: false });
  });
});

describe('the provider in the dialect valkyrie', () => {
  const { write, read, content } = given('valkyrie');
  const headers = { authorization: 'Bearer v-token', 'x-player-token': 'gs_1' };

  it('the provider sends a bet as a withdrawal, with the token and the session in headers', () => {
    expect(write(bet)).toMatchObject({
      method: 'POST',
      path: '/players/p%201/transactions?provider=counterfoil',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(content(bet)).toEqual({
      transactionType: 'WITHDRAW',
      currency: 'EUR',
      cashAmount: 1.5,
      bonusAmount: 0,
      promoAmount: 0,
      transactionDateTime: '2026-01-01T00:00:00.000Z',
      providerTransactionId: 'bet-7',
      providerBetRef: 'bet-7',
      providerGameId: 'moon-harvest',
      providerRoundId: 'round-7',
      isGameOver: false,
    });
  });

  it('a deposit and a cancel have the reference of the bet, and the balance is requested with GET', () => {
    expect(content(win)).toMatchObject({
      ...{ transactionType: 'DEPOSIT', providerTransactionId: 'win-7', providerBetRef: 'bet-7' },
      isGameOver: true,
    });
    expect(content(undo(bet))).toMatchObject({
      ...{ transactionType: 'CANCEL', providerTransactionId: 'bet-7-rollback', providerBetRef: 'bet-7' },
    });
    const path = '/players/p%201/balance?provider=counterfoil';
    expect(write({ ...bet, action: 'balance' })).toEqual({ method: 'GET', path, headers });
  });

  it('the provider reads the outcome from the status and the error code of an answer', () => {
    const balance = { cashAmount: 100.07, promoAmount: 5, bonusAmount: 0 };
    expect(read(200, { status: 'OK', balance })).toMatchObject({ answer: { balance: 100.07 } });
    const transactionResult = { transactionId: 't', balance };
    expect(read(200, { status: 'OK', transactionResult })).toMatchObject({
      kind: 'accepted',
      answer: { balance: 100.07 },
    });
    const failed = (code: string, status = 200) =>
      read(status, { status: 'ERROR', error: { code, message: '' }, transactionResult: { balance } });
    expect(failed('PAM_ERR_CASH_OVERDRAFT')).toMatchObject({
      ...{ kind: 'refused', refusal: 'insufficient_funds', isFinal: true },
      answer: { balance: 100.07 },
    });
    expect(failed('PAM_ERR_SESSION_EXPIRED')).toMatchObject({ refusal: 'session_expired' });
    expect(failed('PAM_ERR_API_TOKEN', 401)).toMatchObject({ kind: 'refused', isFinal: false });
    expect(failed('PAM_ERR_TIMEOUT', 503)).toMatchObject({ kind: 'unknown' });
    expect(failed('PAM_ERR_TIMEOUT')).toMatchObject({ kind: 'unknown' });
  });
});

describe('the provider in the dialect slotegrator', () => {
  const { write, read } = given('slotegrator');
  const fields = (body: CallbackBody) => Object.fromEntries(new URLSearchParams(write(body).body));

  it('the provider signs the fields of a bet and the headers in the order of their names', () => {
    expect(write({ ...bet, player_id: 'p 1~' })).toEqual({
      method: 'POST',
      path: '',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'X-Merchant-Id': 'm-1',
        'X-Timestamp': '1767225600',
        'X-Nonce': 'n-1',
        'X-Sign': '7a254a6d3d5ff7bd7d96748391efe42aa5e4b237',
      },
      body:
        'action=bet&player_id=p+1%7E&currency=EUR&session_id=gs_1&game_uuid=moon-harvest&' +
        'round_id=round-7&transaction_id=bet-7&amount=1.50&type=bet&finished=0',
    });
  });

  it('the provider in the dialect slotegrator refunds a bet, and rolls a win back', () => {
    expect(fields(win)).toMatchObject({ action: 'win', type: 'win', amount: '4.00001', finished: '1' });
    expect(fields(undo(bet))).toMatchObject({
      ...{ action: 'refund', transaction_id: 'bet-7-rollback', bet_transaction_id: 'bet-7', amount: '1.50' },
    });
    expect(fields(undo(win))).toMatchObject({
      action: 'rollback',
      transaction_id: 'win-7-rollback',
      'rollback_transactions[0][action]': 'win',
      'rollback_transactions[0][transaction_id]': 'win-7',
      'rollback_transactions[0][amount]': '4.00001',
    });
    expect(fields({ ...bet, action: 'balance' })).toEqual({
      ...{ action: 'balance', player_id: 'p 1', currency: 'EUR', session_id: 'gs_1' },
    });
  });

  it('the provider reads the balance; every error except insufficient funds is an unknown outcome', () => {
    expect(read(200, { balance: 100.07, transaction_id: 't' })).toMatchObject({
      kind: 'accepted',
      answer: { balance: 100.07 },
    });
    expect(read(200, { error_code: 'INSUFFICIENT_FUNDS', error_description: '' })).toMatchObject({
      ...{ kind: 'refused', refusal: 'insufficient_funds', isFinal: true },
    });
    expect(read(200, { error_code: 'INTERNAL_ERROR', error_description: 'busy' })).toMatchObject({
      ...{ kind: 'unknown', reason: 'busy' },
    });
  });
});
