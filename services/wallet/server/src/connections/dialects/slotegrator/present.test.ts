// The answers of the Slotegrator protocol.
import { expect, it } from 'vitest';
import type { CallResult, PlayedLeg, Terms } from '../dialect.ts';
import { slotegrator } from './slotegrator.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };
const balances = { cash: 12_345n, promo: 700n };
const leg = (id: string, own: Partial<PlayedLeg> = {}): PlayedLeg => ({
  id,
  isRepeated: false,
  result: 'applied',
  ...own,
});
const played = (...legs: PlayedLeg[]): CallResult => ({ kind: 'played', legs, roundId: 'x', balances });
const present = (result: CallResult, rolledBack?: string[], own: Partial<Terms> = {}) =>
  slotegrator.present(result, { rolledBack }, { ...terms, ...own });

it('the balance in an answer has all decimals of the package, and excludes promo money', () => {
  expect(present({ kind: 'balance', balances })).toEqual({ status: 200, body: '{"balance":123.45}' });
  const zero = { kind: 'balance', balances: { cash: 0n, promo: 0n } } as const;
  expect(present(zero, undefined, { decimals: 4 }).body).toBe('{"balance":0.0000}');
  expect(present(zero, undefined, { decimals: 0 }).body).toBe('{"balance":0}');
});

it('a bet, win or refund is answered with the balance and the id that the wallet generated', () => {
  expect(present(played(leg('mv_1')))).toEqual({
    status: 200,
    body: '{"balance":123.45,"transaction_id":"mv_1"}',
  });
});

it('a repeat is answered with the id and the balance of the first answer', () => {
  expect(present(played(leg('mv_1', { isRepeated: true }))).body).toBe(present(played(leg('mv_1'))).body);
  expect(slotegrator.repeatBalance).toBe('stored');
});

it.each(['tombstoned', 'already_rolled_back', 'nothing_to_roll_back'] as const)(
  'a refund with the result %s is answered as a success',
  (result) => {
    expect(JSON.parse(present(played(leg('mv_1', { result }))).body)).toEqual({
      balance: 123.45,
      transaction_id: 'mv_1',
    });
  },
);

it('the answer to a rollback lists the ids of all its transactions', () => {
  const { body } = present(played(leg('mv_1'), leg('mv_2', { result: 'tombstoned' })), ['t-1', 'a"b', 'é']);
  expect(JSON.parse(body)).toEqual({
    balance: 123.45,
    transaction_id: 'mv_1',
    rollback_transactions: ['t-1', 'a"b', 'é'],
  });
});

it('a kind of result that no action produces is answered as an internal error', () => {
  const session = { kind: 'session', session: { token: 't', playerId: 'p', gameId: 'g' } } as const;
  for (const result of [session, played(), { kind: 'transactions', transactions: [] } as const]) {
    expect(JSON.parse(present(result).body).error_code).toBe('INTERNAL_ERROR');
  }
});

it('a refund that names a win is answered with an error', () => {
  const failed = { kind: 'failed', code: 'not_a_bet', balances } as const;
  expect(JSON.parse(slotegrator.present(failed, { rolledBack: undefined }, terms).body)).toEqual({
    error_code: 'INTERNAL_ERROR',
    error_description: 'transaction cannot be refunded or rolled back',
  });
});
