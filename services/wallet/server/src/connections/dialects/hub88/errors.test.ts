// The status of every failure, without a profile and in the profile caleta.
import { describe, expect, it } from 'vitest';
import type { EarlyFailure, FailureCode, Terms } from '../dialect.ts';
import { hub88 } from './hub88.ts';

const terms: Terms = { currency: 'EUR', decimals: 5, currencies: {}, gamePrefix: '', profile: '' };
const context = { user: 'player-1', requestUuid: 'request-1', currency: 'EUR' };
const balances = { cash: 1_050_000n, promo: 0n };

const statuses: Record<FailureCode, string> = {
  player_not_found: 'RS_ERROR_INVALID_TOKEN',
  player_blocked: 'RS_ERROR_USER_DISABLED',
  session_not_found: 'RS_ERROR_INVALID_TOKEN',
  session_expired: 'RS_ERROR_TOKEN_EXPIRED',
  insufficient_funds: 'RS_ERROR_NOT_ENOUGH_MONEY',
  balance_limit: 'RS_ERROR_UNKNOWN',
  bet_limit: 'RS_ERROR_LIMIT_REACHED',
  bet_not_found: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  game_not_found: 'RS_ERROR_INVALID_GAME',
  bet_rolled_back: 'RS_ERROR_TRANSACTION_ROLLED_BACK',
  bet_refused: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  bet_already_settled: 'RS_ERROR_UNKNOWN',
  round_closed: 'RS_ERROR_UNKNOWN',
  round_not_found: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  not_a_bet: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  transaction_conflict: 'RS_ERROR_DUPLICATE_TRANSACTION',
  internal_error: 'RS_ERROR_UNKNOWN',
  overloaded: 'RS_ERROR_UNKNOWN',
  unavailable: 'RS_ERROR_UNKNOWN',
  outcome_unknown: 'RS_ERROR_UNKNOWN',
};
const codes = Object.keys(statuses) as FailureCode[];

describe.each(codes)('the failure %s', (code) => {
  const status = statuses[code];

  it(`the failure is answered with ${status}, HTTP 200, the user and the request_uuid`, () => {
    const answer = hub88.present({ kind: 'failed', code }, context, terms);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ user: 'player-1', status, request_uuid: 'request-1' });
  });

  it('the failure is answered with the balance if the balance is known', () => {
    const answer = hub88.present({ kind: 'failed', code, balances }, context, terms);
    expect(JSON.parse(answer.body)).toMatchObject({ status, currency: 'EUR', balance: 1_050_000 });
  });

  it('the failure has the same status in the profile caleta, unless it is bet_limit', () => {
    const caleta = { ...terms, profile: 'caleta' };
    const answer = hub88.present({ kind: 'failed', code }, context, caleta);
    const expected = code === 'bet_limit' ? 'RS_ERROR_BET_LIMIT_EXCEEDED' : status;
    expect(JSON.parse(answer.body).status).toBe(expected);
  });
});

it('a failure of the wallet itself is reported as RS_ERROR_UNKNOWN, never as insufficient funds', () => {
  for (const code of ['internal_error', 'overloaded', 'unavailable', 'outcome_unknown'] as const) {
    const { body } = hub88.present({ kind: 'failed', code, balances }, context, terms);
    expect(JSON.parse(body).status).toBe('RS_ERROR_UNKNOWN');
  }
});

const sent = '{"user":"player-1","request_uuid":"request-1"}';
const echo = { user: 'player-1', request_uuid: 'request-1' };
const early: [EarlyFailure, object][] = [
  ['forged', { status: 'RS_ERROR_INVALID_SIGNATURE' }],
  ['stale', { status: 'RS_ERROR_INVALID_SIGNATURE' }],
  ['too_large', { status: 'RS_ERROR_WRONG_SYNTAX' }],
  ['paused', { status: 'RS_ERROR_INVALID_PARTNER', ...echo }],
  ['not_found', { status: 'RS_ERROR_WRONG_SYNTAX', ...echo }],
  ['internal_error', { status: 'RS_ERROR_UNKNOWN', ...echo }],
  ['overloaded', { status: 'RS_ERROR_UNKNOWN', ...echo }],
];

describe('a request of Hub88 that is not carried out', () => {
  const request = { method: 'POST', path: '/transaction/bet', query: '', headers: {} };

  it.each(early)(
    'the early failure %s gets a status; only forged, stale and too_large get no ids',
    (failure, expected) => {
      const answer = hub88.presentEarly(failure, { ...request, body: Buffer.from(sent) });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual(expected);
    },
  );

  it.each(early)('the early failure %s gets nothing but a status if the body has no valid ids', (failure) => {
    for (const body of [
      Buffer.alloc(0),
      Buffer.from([0xff]),
      Buffer.from('[1]'),
      Buffer.from('{"user":7}'),
    ]) {
      const answer = hub88.presentEarly(failure, { ...request, body });
      expect(Object.keys(JSON.parse(answer.body))).toEqual(['status']);
    }
  });
});
