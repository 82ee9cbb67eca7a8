// Valkyrie's requests become canonical calls, and bad input gets an error of the PAM API.
import { describe, expect, it } from 'vitest';
import {
  bodyOf,
  type Given,
  recon,
  requestOf,
  secrets,
  terms,
} from '../../../../test/environment/valkyrie-requests.ts';
import type { Terms } from '../dialect.ts';
import { parse } from './parse.ts';

const parsed = (given: Given, other: Partial<Terms> = {}) =>
  parse(requestOf(given), { ...terms, ...other }, secrets);

const callOf = (given: Given, other: Partial<Terms> = {}) => {
  const result = parsed(given, other);
  if ('invalid' in result) throw new Error(result.invalid.body);
  if (result.refusal !== undefined) throw new Error(result.refusal);
  return result.call;
};

const refusalOf = (given: Given, other: Partial<Terms> = {}) => {
  const result = parsed(given, other);
  if (!('invalid' in result) && result.context.kind === 'refused') {
    expect(result).toMatchObject({ call: { kind: 'balance' }, refusal: 'invalid_parameter' });
    return `${result.context.error.status} ${result.context.error.code}`;
  }
  if (!('invalid' in result)) throw new Error('accepted');
  return `${result.invalid.status} ${JSON.parse(result.invalid.body).error.code}`;
};

describe('a transaction of Valkyrie', () => {
  it('a transaction has one cash leg, whose key contains the provider and the bet reference', () => {
    expect(callOf({ body: bodyOf('WITHDRAW', { providerBetRef: 'ref1' }) })).toEqual({
      kind: 'play',
      playerId: 'ann',
      session: { token: 'gs_ann', needs: 'running' },
      legs: [
        {
          ...{ type: 'bet', key: 'id evolution/ref1', nameKey: 'tx id evolution/t1', isKnownByName: false },
          ...{ transactionId: 't1', amount: 1_000_000n, purse: 'cash' },
        },
      ],
      gameId: 'someLiveGame',
      roundId: 'r1',
      roundFinished: false,
      isOneTransaction: true,
      absentKeys: ['promo id evolution/ref1'],
      usesPromo: true,
    });
  });

  it('a transaction without a reference has its id in its key', () => {
    const key = 'tx id evolution/t1';
    expect(callOf({ body: bodyOf('WITHDRAW') })).toMatchObject({
      legs: [{ key, nameKey: key, isKnownByName: true }],
      absentKeys: [`promo ${key}`],
    });
    const shared = callOf({ body: bodyOf('WITHDRAW') }, { sharesNames: true });
    expect(shared).toMatchObject({
      legs: [{ key: 'id evolution/t1', nameKey: key, isKnownByName: true }],
      absentKeys: ['promo id evolution/t1', `promo ${key}`],
    });
  });

  it('a transaction has the promo leg before the cash leg, so that the cash leg closes the round', () => {
    const call = callOf({
      body: bodyOf('DEPOSIT', { promoAmount: 2, isGameOver: true, providerBetRef: 'b' }),
    });
    expect(call).toMatchObject({
      roundFinished: true,
      legs: [
        { key: 'promo DEPOSIT evolution/b', purse: 'promo', betKey: undefined, needsOpenRound: false },
        { key: 'DEPOSIT evolution/b', purse: 'cash', betKey: 'id evolution/b', needsOpenRound: true },
      ],
    });
  });

  it('a transaction of Valkyrie has the prefix of the connection in its game', () => {
    expect(callOf({ body: bodyOf('WITHDRAW') }, { gamePrefix: 'evo:' })).toMatchObject({
      gameId: 'evo:someLiveGame',
    });
  });

  it('a transaction is accepted with the provider’s code for the currency', () => {
    const currencies = { EURO: 'EUR', GBP: 'USD' };
    expect(callOf({ body: bodyOf('WITHDRAW', { currency: 'EURO' }) }, { currencies })).toBeDefined();
    expect(callOf({ body: bodyOf('WITHDRAW') }, { currencies })).toBeDefined();
    const other = { body: bodyOf('WITHDRAW', { currency: 'GBP' }) };
    expect(refusalOf(other, { currencies })).toBe('200 PAM_ERR_TRANS_CURRENCY');
  });

  it('a transaction closes no round if it names no round', () => {
    const body = bodyOf('PROMODEPOSIT', { providerRoundId: null, isGameOver: true });
    expect(callOf({ body })).toMatchObject({ roundId: undefined, roundFinished: false });
  });

  it('a transaction with the recon token needs no session, and its call contains no session token', () => {
    for (const type of ['DEPOSIT', 'PROMODEPOSIT', 'CANCEL', 'PROMOCANCEL']) {
      const session = { token: undefined, needs: 'nothing' };
      expect(callOf({ body: bodyOf(type), player: recon })).toMatchObject({ session });
      expect(callOf({ body: bodyOf(type), player: '', bearer: recon })).toMatchObject({ session });
    }
  });

  it('a transaction is accepted with six decimals in its amounts, as Valkyrie writes them', () => {
    const text = JSON.stringify(bodyOf('WITHDRAW')).replace('"cashAmount":10', '"cashAmount":10.123450');
    expect(callOf({ body: text })).toMatchObject({ legs: [{ amount: 1_012_345n }] });
  });

  it('unknown fields and unused fields of a transaction of Valkyrie are ignored', () => {
    const text = JSON.stringify({ ...bodyOf('WITHDRAW'), tip: { tipAmount: 1 }, jackpots: 7 });
    const body = text.replace('{', '{"__proto__":{"currency":"USD"},"constructor":1,"x":1e400,');
    expect(callOf({ body })).toMatchObject({ gameId: 'someLiveGame' });
  });

  it('a cancel is accepted with any amount', () => {
    const body = bodyOf('CANCEL', { cashAmount: -1, promoAmount: undefined, bonusAmount: 3 });
    expect(callOf({ body })).toMatchObject({ legs: [{ type: 'rollback' }, { type: 'rollback' }] });
  });

  it.each([
    [{ currency: 'USD' }, '200 PAM_ERR_TRANS_CURRENCY'],
    [{ currency: 'eur' }, '200 PAM_ERR_TRANS_CURRENCY'],
    [{ currency: 'schmeckles' }, '200 PAM_ERR_TRANS_CURRENCY'],
    [{ currency: 'constructor' }, '200 PAM_ERR_TRANS_CURRENCY'],
    [{ currency: '' }, '200 PAM_ERR_TRANS_CURRENCY'],
    [{ cashAmount: -10 }, '200 PAM_ERR_NEGATIVE_STAKE'],
    [{ promoAmount: -0.01 }, '200 PAM_ERR_NEGATIVE_STAKE'],
    [{ bonusAmount: -1 }, '200 PAM_ERR_NEGATIVE_STAKE'],
    [{ providerGameId: 'no such game' }, '200 PAM_ERR_GAME_NOT_FOUND'],
    [{ cashAmount: 0.000001 }, '400 PAM_ERR_UNDEFINED'],
    [{ cashAmount: 1e10 }, '400 PAM_ERR_UNDEFINED'],
    [{ cashAmount: '10' }, '400 PAM_ERR_UNDEFINED'],
    [{ transactionType: 'withdraw' }, '400 PAM_ERR_UNDEFINED'],
    [{ transactionType: 'toString' }, '400 PAM_ERR_UNDEFINED'],
    [{ isGameOver: 'yes' }, '400 PAM_ERR_UNDEFINED'],
  ])('a transaction with %j is refused as %s', (change, refusal) => {
    for (const type of ['WITHDRAW', 'DEPOSIT', 'PROMOWITHDRAW', 'PROMODEPOSIT']) {
      expect(refusalOf({ body: { ...bodyOf(type), ...change } })).toBe(refusal);
    }
  });

  it('a transaction with bonus money is refused, because the wallet has no bonus money', () => {
    expect(refusalOf({ body: bodyOf('WITHDRAW', { bonusAmount: 1 }) })).toBe('200 PAM_ERR_BONUS_OVERDRAFT');
    expect(refusalOf({ body: bodyOf('DEPOSIT', { bonusAmount: 1 }) })).toBe('400 PAM_ERR_UNDEFINED');
  });

  it.each(['1e1', '1E+1', '10.00000000000000001', '9007199254740993', '1e400', '-1e400'])(
    'a transaction with the amount %s is refused, not rounded',
    (literal) => {
      const body = JSON.stringify(bodyOf('WITHDRAW')).replace('"cashAmount":10', `"cashAmount":${literal}`);
      expect(refusalOf({ body })).toBe('400 PAM_ERR_UNDEFINED');
    },
  );

  it.each([
    '',
    '{',
    '[]',
    'null',
    '7',
    '"text"',
    '{}',
    'NaN',
    '{"cashAmount":NaN}',
    '\ufeff{}',
    '[{"transactionType":"WITHDRAW"}]',
  ])('a transaction with the body %j is refused', (body) => {
    expect(refusalOf({ body })).toBe('400 PAM_ERR_UNDEFINED');
  });

  it('a transaction whose body is not UTF-8 is refused', () => {
    const body = Buffer.from(JSON.stringify(bodyOf('WITHDRAW', { providerTransactionId: 'é' })), 'latin1');
    expect(refusalOf({ body })).toBe('400 PAM_ERR_UNDEFINED');
  });
});

describe('bad input in a request of Valkyrie', () => {
  const required = [
    'currency',
    'transactionType',
    'cashAmount',
    'bonusAmount',
    'promoAmount',
    'providerTransactionId',
  ];
  const ids = ['providerTransactionId', 'providerBetRef', 'providerGameId', 'providerRoundId'];
  const badIds = [
    7,
    true,
    {},
    [],
    ['t'],
    'x'.repeat(129),
    'a\u0000b',
    'a\nb',
    '\ud800',
    'x\udc00',
    '\u007f',
    '\u2028',
  ];
  const badValues = [null, undefined, {}, [], 'x', true, [1]];

  it('bad input in one or two fields of a withdrawal or deposit is refused without an exception', () => {
    const changes: Record<string, unknown>[] = [
      ...required.flatMap((name) =>
        badValues
          .filter((value) => name !== 'providerTransactionId' || value !== 'x')
          .map((value) => ({ [name]: value })),
      ),
      ...ids.flatMap((name) => badIds.map((value) => ({ [name]: value }))),
      { providerTransactionId: '' },
      { isGameOver: 1 },
    ];
    let seed = 11;
    const pick = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return changes[seed % changes.length] as Record<string, unknown>;
    };
    const pairs = Array.from({ length: 400 }, () => ({ ...pick(), ...pick() }));
    for (const change of [...changes, ...pairs]) {
      for (const type of ['WITHDRAW', 'DEPOSIT']) {
        const refusal = refusalOf({ body: { ...bodyOf(type), ...change } });
        expect(refusal, JSON.stringify(change)).toMatch(
          /^(400 PAM_ERR_UNDEFINED|200 PAM_ERR_TRANS_CURRENCY)$/,
        );
      }
    }
  });

  it('random bytes in a valid body cause no exception and no server error', () => {
    const good = Buffer.from(JSON.stringify(bodyOf('WITHDRAW', { providerBetRef: 'ref' })), 'utf8');
    let seed = 3;
    const next = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * limit);
    };
    for (let i = 0; i < 500; i++) {
      const body = Buffer.from(good);
      for (let k = 0; k <= i % 4; k++) body[next(body.length)] = next(256);
      const result = parsed({ body, method: 'POST', path: '/players/ann/transactions' });
      if ('invalid' in result) expect(result.invalid.status).toBeLessThan(500);
    }
  });

  it('ids with 128 characters, quotes or letters of other scripts are accepted', () => {
    for (const id of ['x'.repeat(128), 'a"b\\c', 'Ж漢😀', 'a-b', '../..', '__proto__']) {
      const change = Object.fromEntries(ids.map((name) => [name, id]));
      expect(callOf({ body: bodyOf('WITHDRAW', change) })).toMatchObject({ roundId: id });
    }
  });
});

it('a transaction whose game id contains a space is refused', () => {
  const body = bodyOf('WITHDRAW', { providerGameId: 'invalid game' });
  expect(refusalOf({ body })).toBe('200 PAM_ERR_GAME_NOT_FOUND');
});

describe('a Valkyrie request', () => {
  it.each([
    ['GET', '/players/session', { kind: 'session', token: 'gs_ann' }],
    ['PUT', '/players/session', { kind: 'replace_session', token: 'gs_ann' }],
    ['GET', '/players/ann/balance', { kind: 'balance', playerId: 'ann', session: { needs: 'running' } }],
    ['GET', '/players/a%2Fb%20c/balance', { playerId: 'a/b c' }],
    ['GET', '/players/session/balance', { playerId: 'session' }],
    ['GET', '/players/ann/gamerounds/r%251', { kind: 'round', roundId: 'r%1', session: { needs: 'known' } }],
  ])('the request %s %s is parsed as the expected call', (method, path, call) => {
    expect(callOf({ method, path })).toMatchObject(call);
  });

  it.each([
    ['GET', '', '404'],
    ['GET', '/', '404'],
    ['GET', '/players', '404'],
    ['GET', '/players/ann', '404'],
    ['GET', '/players//balance', '404'],
    ['GET', '/players/ann/balance/', '404'],
    ['GET', '/players/ann/gamerounds', '404'],
    ['GET', '/players/ann/gamerounds/a/b', '404'],
    ['GET', '/wallet/players/ann/balance', '404'],
    ['POST', '/players/session', '405'],
    ['DELETE', '/players/ann/transactions', '405'],
    ['PUT', '/players/ann/transactions', '405'],
    ['POST', '/players/ann/balance', '405'],
    ['GET', '/players/%/balance', '400'],
    ['GET', '/players/%ff/balance', '400'],
    ['GET', '/players/a%00b/balance', '400'],
    ['GET', `/players/${'x'.repeat(129)}/balance`, '400'],
    ['GET', '/players/ann/gamerounds/%E0%A4%A', '400'],
  ])('the request %s %j is refused with the status %s', (method, path, status) => {
    expect(refusalOf({ method, path })).toBe(`${status} PAM_ERR_UNDEFINED`);
  });

  it.each([
    '',
    'provider=',
    'provider',
    'x=1',
    'Provider=evolution',
    'provider=a%2Fb',
    `provider=${'x'.repeat(41)}`,
  ])('a request with the query "%s" is refused, because the query names no provider', (query) => {
    expect(refusalOf({ query })).toBe('400 PAM_ERR_MISSING_PROVIDER');
  });

  it('the recon token is refused in requests that read a session, a balance or transactions', () => {
    for (const path of ['/players/session', '/players/ann/balance', '/players/ann/transactions']) {
      const refusal = refusalOf({ path, bearer: recon, query: 'provider=x&providerBetRef=y' });
      expect(refusal).toBe('401 PAM_ERR_API_TOKEN');
    }
  });

  it.each([undefined, 'x'.repeat(200), 'a\u0000'])(
    'a request with the player token %j has no session',
    (player) => {
      const request = {
        ...requestOf(),
        headers: { authorization: 'Bearer pam-token', 'x-player-token': player },
      };
      expect(parse(request, terms, secrets)).toMatchObject({ call: { session: { token: undefined } } });
    },
  );
});

describe('a search for transactions', () => {
  const path = '/players/ann/transactions';
  const keysOf = (query: string) => {
    const call = callOf({ path, query });
    return call.kind === 'transactions' ? call.keys : [];
  };

  it('a search by bet reference and transaction id uses only the bet reference', () => {
    const keys = keysOf('provider=caleta&providerTransactionId=t&providerBetRef=b+%2B');
    expect(keys).toHaveLength(10);
    expect(keys.every((key) => key.endsWith(' caleta/b +'))).toBe(true);
  });

  it('a search by id uses the keys of early versions only in connections of early versions', () => {
    const query = 'provider=caleta&providerTransactionId=t';
    expect(keysOf(query)).toHaveLength(10);
    expect(keysOf(query)).toContain('promo tx CANCEL caleta/t');
    expect(keysOf(query)).not.toContain('id caleta/t');
    const shared = callOf({ path, query }, { sharesNames: true });
    expect(shared).toMatchObject({ keys: expect.arrayContaining(['id caleta/t', 'tx id caleta/t']) });
  });

  it('a search is accepted with an expired session, just like a late deposit', () => {
    const query = 'providerTransactionId=t&provider=caleta';
    expect(callOf({ path, query })).toMatchObject({ session: { token: 'gs_ann', needs: 'known' } });
  });

  it.each([
    '',
    '&providerBetRef=',
    '&providerTransactionId=%00',
    `&providerBetRef=${'x'.repeat(129)}`,
    '&providerBetRef=%ff',
  ])('a search is refused with the query "provider=caleta%s"', (query) => {
    expect(refusalOf({ path, query: `provider=caleta${query}` })).toBe('400 PAM_ERR_UNDEFINED');
  });
});
