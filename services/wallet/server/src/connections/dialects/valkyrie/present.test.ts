// Answers have the form of the PAM API.
import { describe, expect, it } from 'vitest';
import { terms } from '../../../../test/environment/valkyrie-requests.ts';
import type { FoundTransaction, PlayedLeg } from '../dialect.ts';
import { requestErrors } from './errors.ts';
import { present } from './present.ts';

const balances = { cash: 99_900_001n, promo: 50n };
const wireBalance = { cashAmount: 999.00001, bonusAmount: 0, promoAmount: 0.0005 };
const prefixed = { ...terms, gamePrefix: 'evo:', currencies: { EURO: 'EUR' } };

const withdraw = { kind: 'transaction', type: 'WITHDRAW', hasPromoLeg: false, reusesBetId: false } as const;
const cancel = { ...withdraw, type: 'CANCEL', hasPromoLeg: true } as const;

const legOf = (id: string, result: PlayedLeg['result'], isRepeated = false) => ({ id, result, isRepeated });
const bodyOf = (...args: Parameters<typeof present>) => JSON.parse(present(...args).body);

describe('an answer to Valkyrie', () => {
  it('an answer to a balance request has the cash and the promo balance', () => {
    const answer = present({ kind: 'balance', balances }, { kind: 'balance' }, terms);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"cashAmount":999.00001');
    expect(JSON.parse(answer.body)).toEqual({ status: 'OK', balance: wireBalance });
  });

  it('an answer to a transaction has the id of the cash leg', () => {
    const legs = [legOf('promo', 'applied'), legOf('cash', 'applied')];
    expect(bodyOf({ kind: 'played', legs, roundId: 'r', balances }, withdraw, terms)).toEqual({
      status: 'OK',
      transactionResult: { transactionId: 'cash', balance: wireBalance },
    });
  });

  it.each([
    ['tombstoned', 'rolled_back', undefined],
    ['rolled_back', 'rolled_back', undefined],
    ['tombstoned', 'tombstoned', 'PAM_ERR_CANCEL_NOT_FOUND'],
    ['tombstoned', 'nothing_to_roll_back', 'PAM_ERR_CANCEL_NOT_FOUND'],
    ['tombstoned', 'already_rolled_back', 'PAM_ERR_TRANS_ALREADY_CANCELLED'],
  ] as const)(
    'an answer to a cancel with promo leg %s and cash leg %s has the error %s',
    (promo, cash, code) => {
      for (const isRepeated of [false, true]) {
        const legs = [legOf('p', promo, isRepeated), legOf('c', cash, isRepeated)];
        const answer = bodyOf({ kind: 'played', legs, roundId: undefined, balances }, cancel, terms);
        expect(answer.error?.code).toBe(code);
        expect(answer.transactionResult.balance).toEqual(wireBalance);
      }
    },
  );

  it.each([
    [0, 'PAM_ERR_PROMO_OVERDRAFT'],
    [1, 'PAM_ERR_CASH_OVERDRAFT'],
    [undefined, 'PAM_ERR_CASH_OVERDRAFT'],
  ])('an answer names the purse that lacks funds (index of the refused leg: %s, error: %s)', (leg, code) => {
    const failure = {
      kind: 'failed',
      code: 'insufficient_funds',
      ...(leg === undefined ? {} : { leg }),
    } as const;
    expect(bodyOf(failure, { ...withdraw, hasPromoLeg: true }, terms).error.code).toBe(code);
  });

  it('an answer to a transaction without legs is a failure that can be retried', () => {
    const answer = present({ kind: 'played', legs: [], roundId: undefined, balances }, withdraw, terms);
    expect(answer.status).toBe(500);
  });

  it('an answer to a session request has the provider’s codes for the currency and the game', () => {
    const session = { token: 'gs_2', playerId: 'a"nn', gameId: 'evo:roulette' };
    expect(bodyOf({ kind: 'session', session }, { kind: 'session' }, prefixed)).toEqual({
      status: 'OK',
      session: {
        playerId: 'a"nn',
        token: 'gs_2',
        currency: 'EURO',
        country: 'ZZ',
        language: 'en',
        gameId: 'roulette',
      },
    });
  });

  it('an answer to a round request has an end time only if the round is closed', () => {
    const round = { roundId: 'r', gameId: 'evo:g', openedAt: new Date(0), closedAt: undefined };
    const open = { providerGameId: 'g', providerRoundId: 'r', startTime: '1970-01-01T00:00:00.000Z' };
    expect(bodyOf({ kind: 'round', round }, { kind: 'round' }, prefixed).gameround).toEqual(open);
    const closed = { ...round, gameId: undefined, closedAt: new Date(1000) };
    expect(bodyOf({ kind: 'round', round: closed }, { kind: 'round' }, prefixed).gameround).toEqual({
      ...open,
      providerGameId: '',
      endTime: '1970-01-01T00:00:01.000Z',
    });
  });

  it('an answer to a failed search contains the balance, if the balance is known', () => {
    const failure = { kind: 'failed', code: 'round_not_found' } as const;
    const error = { code: 'PAM_ERR_ROUND_NOT_FOUND', message: expect.any(String) };
    expect(bodyOf(failure, { kind: 'round' }, terms)).toEqual({ status: 'ERROR', error });
    expect(bodyOf({ ...failure, balances }, { kind: 'round' }, terms)).toEqual({
      ...{ status: 'ERROR', error },
      transactionResult: { balance: { cashAmount: 999.00001, promoAmount: 0.0005, bonusAmount: 0 } },
    });
  });

  it('an answer to a refused transaction contains the error and the balance', () => {
    const context = { kind: 'refused', error: requestErrors.currency } as const;
    expect(bodyOf({ kind: 'balance', balances }, context, terms)).toMatchObject({
      error: { code: 'PAM_ERR_TRANS_CURRENCY' },
      transactionResult: { balance: { cashAmount: 999.00001 } },
    });
    expect(bodyOf({ kind: 'failed', code: 'session_not_found' }, context, terms)).toMatchObject({
      error: { code: 'PAM_ERR_SESSION_NOT_FOUND' },
    });
  });
});

describe('the transactions in an answer', () => {
  const reference = { provider: 'evolution', transactionId: 'b', betRef: 'b', sharesNames: false };
  const context = { kind: 'transactions', reference } as const;
  const found = (more: Partial<FoundTransaction>): FoundTransaction => ({
    key: 'id evolution/b',
    transactionId: 't1',
    type: 'bet',
    purse: 'cash',
    amount: 150_000n,
    gameId: 'evo:g',
    roundId: 'r',
    at: new Date(0),
    ...more,
  });

  it('both legs of a transaction are in one entry of the answer', () => {
    const promo = found({ key: 'promo id evolution/b', purse: 'promo', amount: 20_000n });
    const transactions = [
      promo,
      found({}),
      found({ key: 'CANCEL evolution/b', type: 'rollback', amount: 0n }),
    ];
    expect(bodyOf({ kind: 'transactions', transactions }, context, prefixed).transactions).toMatchObject([
      {
        currency: 'EURO',
        provider: 'evolution',
        transactionType: 'WITHDRAW',
        cashAmount: 1.5,
        bonusAmount: 0,
        promoAmount: 0.2,
        transactionDateTime: '1970-01-01T00:00:00.000Z',
        providerTransactionId: 't1',
        providerBetRef: 'b',
        providerGameId: 'g',
        providerRoundId: 'r',
      },
      { transactionType: 'CANCEL', cashAmount: 0 },
    ]);
  });

  it('an answer has an error instead of transactions if no transactions were found', () => {
    const answer = bodyOf({ kind: 'transactions', transactions: [] }, context, terms);
    expect(answer).toMatchObject({ status: 'ERROR', error: { code: 'PAM_ERR_TRANS_NOT_FOUND' } });
  });
});
