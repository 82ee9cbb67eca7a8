// Answers of the SoftSwiss protocol to the results of calls.
import { describe, expect, it } from 'vitest';
import type { CallResult, FailureCode, PlayedLeg, ProviderResponse, Terms } from '../dialect.ts';
import type { SoftswissContext } from './parse.ts';
import { presentResult } from './present.ts';
import { softswiss } from './softswiss.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '' };
const balances = { cash: 11_500n, promo: 700n };
const betwin: SoftswissContext = { endpoint: 'betwin', ids: ['tx-1', 'tx-2'] };
const rollback: SoftswissContext = { endpoint: 'rollback', ids: ['rb-1'] };
const finish: SoftswissContext = { endpoint: 'finish', ids: [] };
const leg = (id: string, result: PlayedLeg['result'] = 'applied'): PlayedLeg => ({
  id,
  isRepeated: false,
  result,
});
const played = (...legs: PlayedLeg[]): CallResult => ({ kind: 'played', legs, roundId: 'rnd_1', balances });
const read = ({ status, body }: ProviderResponse) => [status, JSON.parse(body)];

describe('SoftSwiss answers', () => {
  it('the answer to /balance is the cash balance with all decimals of the package', () => {
    const result: CallResult = { kind: 'balance', balances };
    const context: SoftswissContext = { endpoint: 'balance', ids: [] };
    expect(presentResult(result, context, terms)).toEqual({ status: 200, body: '{"balance":"115.00"}' });
    const decimalsOf = (decimals: number) => presentResult(result, context, { ...terms, decimals }).body;
    expect([decimalsOf(0), decimalsOf(5)]).toEqual(['{"balance":"11500"}', '{"balance":"0.11500"}']);
  });

  it('the answer to /betwin has both ids of each transaction, in request order, and no bonus money', () => {
    expect(read(presentResult(played(leg('mv_1'), leg('mv_2', 'late')), betwin, terms))).toEqual([
      200,
      {
        round_id: 'rnd_1',
        balance: '115.00',
        transactions: [
          { id_provider: 'tx-1', id: 'mv_1', bonus_amount: '0.00' },
          { id_provider: 'tx-2', id: 'mv_2', bonus_amount: '0.00' },
        ],
      },
    ]);
  });

  it('a repeat of /betwin gets the same answer, with the balance of the first answer', () => {
    const repeated = { ...leg('mv_1'), isRepeated: true };
    const once = { ...betwin, ids: ['tx-1'] };
    expect(presentResult(played(repeated), once, terms)).toEqual(
      presentResult(played(leg('mv_1')), once, terms),
    );
    expect(softswiss.repeatBalance).toBe('stored');
  });

  it.each([
    ['rolled_back', 'mv_1'],
    ['already_rolled_back', 'mv_1'],
    ['tombstoned', ''],
    ['nothing_to_roll_back', ''],
  ] as const)('the answer to /rollback with the result %s has the id %j', (result, id) => {
    expect(read(presentResult(played(leg('mv_1', result)), rollback, terms))).toEqual([
      200,
      { round_id: 'rnd_1', balance: '115.00', transactions: [{ id_provider: 'rb-1', id }] },
    ]);
  });

  it('the answer to /finish is the balance', () => {
    expect(read(presentResult(played(leg('mv_1', 'closed')), finish, terms))).toEqual([
      200,
      { balance: '115.00' },
    ]);
  });

  it('an answer is valid JSON even if an id contains quotes, backslashes or emoji', () => {
    const ids = ['a"b', '\\', '😀'];
    const answer = presentResult(played(leg('"'), leg('b'), leg('c')), { endpoint: 'betwin', ids }, terms);
    const [, { transactions }] = read(answer);
    expect(transactions.map((each: { id_provider: string }) => each.id_provider)).toEqual(ids);
  });
});

describe('a result of the wrong kind for its request', () => {
  it.each<CallResult>([
    { kind: 'transactions', transactions: [] },
    { kind: 'session', session: { token: 't', playerId: 'p', gameId: 'g' } },
    played(leg('mv_1')),
  ])('a result of the wrong kind for its request is answered as a failure of the wallet: %#', (result) => {
    expect(presentResult(result, betwin, terms).status).toBe(500);
  });
});

describe('a SoftSwiss failure', () => {
  const failed = (code: FailureCode, own: object = {}): CallResult => ({ kind: 'failed', code, ...own });

  it.each([
    ['insufficient_funds', '100', 'insufficient funds'],
    ['bet_limit', '105', 'bet limit reached'],
  ] as const)('the failure %s is answered with the balance', (code, api_code, message) => {
    expect(read(presentResult(failed(code, { balances, leg: 1 }), betwin, terms))).toEqual([
      400,
      {
        code: 'invalid_argument',
        msg: message,
        meta: { api_code, api_message: message, balance: '115.00' },
      },
    ]);
  });

  it('a failure other than insufficient_funds and bet_limit is answered without a balance', () => {
    expect(read(presentResult(failed('bet_rolled_back', { balances }), betwin, terms))).toEqual([
      400,
      {
        code: 'invalid_argument',
        msg: 'action already rolled back',
        meta: { api_code: '409', api_message: 'action already rolled back' },
      },
    ]);
  });

  it.each([
    ['player_id', 'account_id'],
    ['game_id', 'game_id'],
    ['round_id', 'round_id'],
    ['amount', 'transactions[1].amount'],
    ['action', 'transactions[1].type'],
    ['something_new', 'transactions[1]'],
  ])('the failure of a repeat that differs in %s names the field %s', (field, name) => {
    const answer = presentResult(failed('transaction_conflict', { field, leg: 1 }), betwin, terms);
    const message = `${name}: differs from the first request with this id_provider`;
    expect(read(answer)).toMatchObject([400, { msg: message, meta: { api_code: '400' } }]);
  });

  it.each([
    ['round_id', 'round_id_provider'],
    ['reference_transaction_id', 'transactions[0].original_id_provider'],
  ])('the failure of a repeated rollback that differs in %s names the field %s', (field, name) => {
    const answer = presentResult(failed('transaction_conflict', { field }), rollback, terms);
    expect(JSON.parse(answer.body).msg).toBe(`${name}: differs from the first request with this id_provider`);
  });

  it('the error not_a_bet names the rollback that refers to neither a bet nor a win', () => {
    const answer = presentResult(failed('not_a_bet', { leg: 2 }), rollback, terms);
    expect(JSON.parse(answer.body).msg).toBe(
      'transactions[2].original_id_provider: must name a bet or a win',
    );
  });
});
