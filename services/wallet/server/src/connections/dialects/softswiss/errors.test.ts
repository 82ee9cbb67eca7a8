// The table of errors: every failure has its code, and failures of the wallet are never reported as "no
// funds".
import { describe, expect, it } from 'vitest';
import type { EarlyFailure, FailureCode } from '../dialect.ts';
import { failures, writeError, writeValidationError } from './errors.ts';
import { signWalletRequest } from './signature.ts';
import { softswiss } from './softswiss.ts';

const terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '' };
const balances = { cash: 7_700n, promo: 0n };

const expected: Record<FailureCode, [number, string]> = {
  player_not_found: [400, '101'],
  player_blocked: [400, '110'],
  session_not_found: [400, '400'],
  session_expired: [400, '400'],
  insufficient_funds: [400, '100'],
  balance_limit: [400, '400'],
  bet_limit: [400, '105'],
  bet_not_found: [400, '404'],
  game_not_found: [400, '107'],
  bet_rolled_back: [400, '409'],
  bet_refused: [400, '400'],
  bet_already_settled: [400, '400'],
  round_closed: [400, '400'],
  round_not_found: [400, '404'],
  not_a_bet: [400, '400'],
  transaction_conflict: [400, '400'],
  internal_error: [500, '500'],
  overloaded: [500, '500'],
  unavailable: [500, '500'],
  outcome_unknown: [500, '500'],
};

it('the table of errors has a code for every failure', () => {
  expect(Object.keys(failures).sort()).toEqual(Object.keys(expected).sort());
});

describe.each(Object.entries(expected))('the failure %s', (name, [status, apiCode]) => {
  const code = name as FailureCode;
  const context = { endpoint: 'betwin', ids: ['tx-1'] } as const;

  it(`the failure has the status ${status} and the code ${apiCode}`, () => {
    const answer = softswiss.present({ kind: 'failed', code, balances }, context, terms);
    const { meta, ...rest } = JSON.parse(answer.body);
    expect([answer.status, meta.api_code]).toEqual([status, apiCode]);
    expect(rest).toEqual({ code: status === 500 ? 'internal' : 'invalid_argument', msg: meta.api_message });
    expect(meta.balance).toBe(apiCode === '100' || apiCode === '105' ? '77.00' : undefined);
  });

  it('the failure is answered without a balance if the balance could not be read', () => {
    const answer = softswiss.present({ kind: 'failed', code }, context, terms);
    expect(JSON.parse(answer.body).meta).not.toHaveProperty('balance');
  });
});

const early: Record<EarlyFailure, [number, string, string]> = {
  forged: [400, '403', 'invalid signature'],
  stale: [400, '403', 'invalid signature'],
  paused: [400, '107', 'connection paused'],
  too_large: [400, '400', 'request body too large'],
  malformed: [400, '400', 'malformed request'],
  not_found: [400, '404', 'not found'],
  internal_error: [500, '500', 'internal error'],
  overloaded: [500, '500', 'internal error'],
};

it.each(Object.entries(early))(
  'the early failure %s is answered with %j',
  (name, [status, code, message]) => {
    const request = signWalletRequest('token', '/balance', {});
    const answer = softswiss.presentEarly(name as EarlyFailure, request);
    const { msg, meta } = JSON.parse(answer.body);
    expect([answer.status, meta, msg]).toEqual([status, { api_code: code, api_message: message }, message]);
  },
);

it('a message with quotes is escaped as JSON text', () => {
  const { body } = writeValidationError('a "quoted" \\ \n text');
  expect(JSON.parse(body).msg).toBe('a "quoted" \\ \n text');
  expect(writeError(failures.insufficient_funds, '0.00').body).toContain('"balance":"0.00"');
});
