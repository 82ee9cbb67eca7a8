// The answers of the Hub88 dialect to calls that were carried out.
import { describe, expect, it } from 'vitest';
import type { CallResult, PlayedLeg, Terms } from '../dialect.ts';
import { hub88 } from './hub88.ts';
import { findProviderCode } from './present.ts';

const terms: Terms = { currency: 'EUR', decimals: 5, currencies: {}, gamePrefix: '', profile: '' };
const context = { user: 'player-1', requestUuid: 'request-1', currency: 'EUR' };
const present = (result: CallResult, given: Partial<Terms> = {}, sent = context) =>
  hub88.present(result, sent, { ...terms, ...given });
const balanceOf = (cash: bigint): CallResult => ({ kind: 'balance', balances: { cash, promo: 7n } });
const played = (result: PlayedLeg['result'], isRepeated = false): CallResult => ({
  kind: 'played',
  legs: [{ id: 'm-1', isRepeated, result }],
  roundId: 'round',
  balances: { cash: 100_500n, promo: 0n },
});

describe('an answer to Hub88', () => {
  it('an answer has user, status, request, currency and balance in the order of Hub88’s documents', () => {
    expect(present(played('applied'))).toEqual({
      status: 200,
      body:
        '{"user":"player-1","status":"RS_OK","request_uuid":"request-1",' +
        '"currency":"EUR","balance":100500}',
    });
  });

  it.each([
    'applied',
    'recorded',
    'late',
    'rolled_back',
    'already_rolled_back',
    'tombstoned',
    'nothing_to_roll_back',
  ] as const)('an answer to Hub88 is RS_OK with the balance if the result is %s', (result) => {
    expect(JSON.parse(present(played(result)).body)).toMatchObject({ status: 'RS_OK', balance: 100_500 });
  });

  it('the answer to a repeat is the answer to the first request, byte by byte', () => {
    expect(present(played('applied', true))).toEqual(present(played('applied')));
    expect(hub88.repeatBalance).toBe('stored');
  });

  it.each([
    [0, 12n, '1200000'],
    [2, 1050n, '1050000'],
    [5, 1_050_000n, '1050000'],
    [8, 1_050_000_999n, '1050000'],
    [2, 999_999_999_999_999n, '999999999999999000'],
    [5, 0n, '0'],
  ])(
    'the balance of a package with %i decimals is written in hundred-thousandths',
    (decimals, cash, units) => {
      expect(present(balanceOf(cash), { decimals }).body).toContain(`"balance":${units}}`);
    },
  );

  it('an answer to Hub88 contains only the cash balance', () => {
    expect(JSON.parse(present(balanceOf(5n)).body).balance).toBe(5);
    expect(hub88.showsPromo).toBe(false);
  });

  it('quotes and other special characters in ids are escaped', () => {
    const sent = { user: 'a"b\\ü', requestUuid: '</é', currency: 'EUR' };
    expect(JSON.parse(present(balanceOf(1n), {}, sent).body)).toMatchObject({
      user: 'a"b\\ü',
      request_uuid: '</é',
    });
  });

  it('the answer to Caleta’s request /wallet/check has the new token', () => {
    const session = { token: 'gs_2', playerId: 'player-1', gameId: 'dice' };
    const { body } = present({ kind: 'session', session }, { profile: 'caleta' });
    expect(body).toBe('{"token":"gs_2"}');
  });

  it('a result of a kind that no request of Hub88 can have is answered with RS_ERROR_UNKNOWN', () => {
    expect(JSON.parse(present({ kind: 'transactions', transactions: [] }).body).status).toBe(
      'RS_ERROR_UNKNOWN',
    );
  });
});

describe('the currency code in an answer', () => {
  it('an answer has the package’s currency code if the connection maps no code to that currency', () => {
    expect(findProviderCode(terms)).toBe('EUR');
    expect(findProviderCode({ ...terms, currencies: { USDT: 'USD' } })).toBe('EUR');
  });

  it('an answer has the provider’s code if the connection maps it to the package’s currency', () => {
    expect(findProviderCode({ ...terms, currencies: { USDT: 'USD', EURX: 'EUR' } })).toBe('EURX');
  });
});
