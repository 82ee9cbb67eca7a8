// The table of errors: every failure has a description, and only missing funds are reported as missing funds.
import { expect, it } from 'vitest';
import type { EarlyFailure, FailureCode } from '../dialect.ts';
import { failures } from './errors.ts';
import { signWalletRequest } from './signature.ts';
import { slotegrator } from './slotegrator.ts';

const terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };
const request = signWalletRequest({ merchantId: 'm', merchantKey: 'k' }, {}, { timestamp: 1, nonce: 'n' });

const expected: Record<FailureCode, string> = {
  player_not_found: 'player not found',
  player_blocked: 'player blocked',
  session_not_found: 'session not found',
  session_expired: 'session expired',
  insufficient_funds: 'insufficient funds',
  balance_limit: 'balance limit reached',
  bet_limit: 'bet limit reached',
  bet_not_found: 'bet not found',
  game_not_found: 'game not found',
  bet_rolled_back: 'transaction was refunded or rolled back before',
  bet_refused: 'bet was refused',
  bet_already_settled: 'bet is already settled',
  round_closed: 'round is finished',
  round_not_found: 'round not found',
  not_a_bet: 'transaction cannot be refunded or rolled back',
  transaction_conflict: 'transaction_id was used for another transaction',
  internal_error: 'internal error',
  overloaded: 'internal error',
  unavailable: 'internal error',
  outcome_unknown: 'internal error',
};

it('the table of errors has a description for every failure', () => {
  expect(Object.keys(failures).sort()).toEqual(Object.keys(expected).sort());
});

it.each(Object.entries(expected))('the failure %s is described as "%s"', (name, description) => {
  const code = name as FailureCode;
  for (const balances of [undefined, { cash: 1n, promo: 0n }]) {
    const result = { kind: 'failed', code, ...(balances && { balances }) } as const;
    const answer = slotegrator.present(result, { rolledBack: undefined }, terms);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      error_code: code === 'insufficient_funds' ? 'INSUFFICIENT_FUNDS' : 'INTERNAL_ERROR',
      error_description: description,
    });
  }
});

it('the description of a conflict names the field that differs', () => {
  const result = { kind: 'failed', code: 'transaction_conflict', field: 'amount' } as const;
  const { body } = slotegrator.present(result, { rolledBack: ['t-1'] }, terms);
  expect(JSON.parse(body).error_description).toBe('transaction_id was used for another transaction: amount');
});

const early: Record<EarlyFailure, string> = {
  forged: 'invalid signature',
  stale: 'request expired or repeated',
  paused: 'connection paused',
  too_large: 'request body too large',
  malformed: 'malformed request',
  not_found: 'not found',
  internal_error: 'internal error',
  overloaded: 'internal error',
};

it.each(Object.entries(early))('the early failure %s is described as "%s"', (name, description) => {
  const answer = slotegrator.presentEarly(name as EarlyFailure, request);
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toEqual({ error_code: 'INTERNAL_ERROR', error_description: description });
});
