// Requests of the SoftSwiss protocol, and the canonical calls to which they are parsed.
import { describe, expect, it } from 'vitest';
import type { Terms } from '../dialect.ts';
import { parseRequest } from './parse.ts';
import { signWalletRequest } from './signature.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '' };
const player = { account_id: 'player-1', currency: 'EUR', game_id: 'dice' };
const bet = { id_provider: 'tx-1', type: 'bet', amount: '10.00' };
const win = { id_provider: 'tx-2', type: 'win', amount: '25.00' };
const rollback = { id_provider: 'rb-1', type: 'rollback', original_id_provider: 'tx-1' };
const betwin = { ...player, round_id: 'r-1', transactions: [bet, win] };
const undo = { ...player, round_id_provider: 'r-1', finished: true, transactions: [rollback] };
const finish = { account_id: 'player-1', currency: 'EUR', round_id: 'r-1' };

const parse = (path: string, content: object | string, own: Partial<Terms> = {}) =>
  parseRequest(signWalletRequest('token', path, content), { ...terms, ...own });

function callOf(path: string, content: object | string, own: Partial<Terms> = {}) {
  const parsed = parse(path, content, own);
  if ('invalid' in parsed) throw new Error(parsed.invalid.body);
  return parsed;
}

/** Returns the code and the message of the error. */
function errorOf(path: string, content: object | string, own: Partial<Terms> = {}): [string, string] {
  const parsed = parse(path, content, own);
  if (!('invalid' in parsed)) throw new Error('the request is valid');
  expect(parsed.invalid.status).toBe(400);
  const { code, msg, meta } = JSON.parse(parsed.invalid.body);
  expect([code, meta.api_message]).toEqual(['invalid_argument', msg]);
  return [meta.api_code, msg];
}

const session = { token: undefined, needs: 'nothing' };

describe('a request to /balance', () => {
  it('a request to /balance reads the balance of the player', () => {
    expect(callOf('/balance', player)).toEqual({
      call: { kind: 'balance', playerId: 'player-1', session },
      context: { endpoint: 'balance', ids: [] },
    });
  });
});

describe('a request to /betwin', () => {
  it('a request to /betwin becomes bets and wins in order, with id_provider as their key', () => {
    expect(callOf('/betwin', betwin)).toEqual({
      call: {
        kind: 'play',
        playerId: 'player-1',
        session,
        gameId: 'dice',
        roundId: 'r-1',
        roundFinished: false,
        legs: [
          { type: 'bet', key: 'tx-1', transactionId: 'tx-1', amount: 1000n, purse: 'cash' },
          {
            type: 'win',
            key: 'tx-2',
            transactionId: 'tx-2',
            amount: 2500n,
            purse: 'cash',
            betKey: undefined,
            needsOpenRound: false,
          },
        ],
      },
      context: { endpoint: 'betwin', ids: ['tx-1', 'tx-2'] },
    });
  });

  it.each([
    [true, true],
    [false, false],
    [null, false],
    [undefined, false],
  ])('finished = %s is parsed as roundFinished = %s', (finished, roundFinished) => {
    expect(callOf('/betwin', { ...betwin, finished }).call).toMatchObject({ roundFinished });
  });

  it('a request to /betwin is accepted with any session id, and the id is recorded', () => {
    const { call } = callOf('/betwin', { ...betwin, session_id: 's-1' });
    expect(call).toMatchObject({ session: { token: 's-1', needs: 'nothing' } });
  });

  it.each([null, ''])('a request with the session %j counts as a request without a session', (session_id) => {
    expect(callOf('/betwin', { ...betwin, session_id }).call).toMatchObject({ session });
  });

  it('a request to /betwin becomes a call whose game has the prefix of the connection', () => {
    expect(callOf('/betwin', betwin, { gamePrefix: 'ss-' }).call).toMatchObject({ gameId: 'ss-dice' });
  });

  it('a request to /betwin is accepted with up to 100 transactions', () => {
    const transactions = Array.from({ length: 101 }, (_, index) => ({ ...bet, id_provider: `t${index}` }));
    const { context } = callOf('/betwin', { ...betwin, transactions: transactions.slice(1) });
    expect(context.ids).toHaveLength(100);
    expect(errorOf('/betwin', { ...betwin, transactions })).toEqual([
      '400',
      'transactions: must have at most 100 items',
    ]);
  });

  it('a request to /betwin is refused with a message that names the invalid transaction', () => {
    const transactions = [bet, { ...win, amount: '0' }];
    expect(errorOf('/betwin', { ...betwin, transactions })).toEqual([
      '400',
      'transactions[1].amount: must be greater than zero',
    ]);
  });
});

describe('a request to /rollback', () => {
  it('a rollback names its original in original_id_provider and its round in round_id_provider', () => {
    expect(callOf('/rollback', undo)).toEqual({
      call: {
        kind: 'play',
        playerId: 'player-1',
        session,
        gameId: 'dice',
        roundId: 'r-1',
        roundFinished: true,
        legs: [
          {
            type: 'rollback',
            key: 'rb-1',
            transactionId: 'rb-1',
            purse: 'cash',
            originalKey: 'tx-1',
            undoes: 'any',
          },
        ],
      },
      context: { endpoint: 'rollback', ids: ['rb-1'] },
    });
  });

  it('a request to /rollback is accepted without the field finished', () => {
    expect(callOf('/rollback', { ...undo, finished: undefined }).call).toMatchObject({
      roundFinished: false,
    });
  });

  it('a rollback is refused if it names its round in round_id instead of round_id_provider', () => {
    const { round_id_provider: round_id, ...rest } = undo;
    expect(errorOf('/rollback', { ...rest, round_id })).toEqual(['400', 'round_id_provider: is required']);
  });
});

describe('a request to /finish', () => {
  it('a request to /finish ends the round without naming a game', () => {
    expect(callOf('/finish', finish)).toEqual({
      call: {
        kind: 'play',
        playerId: 'player-1',
        session,
        gameId: undefined,
        roundId: 'r-1',
        roundFinished: true,
        legs: [{ type: 'end_round' }],
      },
      context: { endpoint: 'finish', ids: [] },
    });
  });
});

describe('an amount of SoftSwiss', () => {
  const amountOf = (amount: unknown, decimals = 2) => {
    const { call } = callOf('/betwin', { ...betwin, transactions: [{ ...bet, amount }] }, { decimals });
    return call.kind === 'play' && call.legs[0]?.type === 'bet' ? call.legs[0].amount : undefined;
  };

  it.each([
    ['10', 2, 1000n],
    ['10.5', 2, 1050n],
    ['0.01', 2, 1n],
    ['0.10000000000', 2, 10n],
    ['0.00001', 5, 1n],
    ['7', 0, 7n],
    ['9999999999999.99', 2, 999_999_999_999_999n],
  ])('the amount %s in a package with %i decimals is read exactly', (text, decimals, minor) => {
    expect(amountOf(text, decimals)).toBe(minor);
  });

  it.each(['0', '0.00', '-1', '-0.01', '-0'])(
    'the amount %s is refused, because it is not greater than zero',
    (amount) => {
      const transactions = [{ ...bet, amount }];
      expect(errorOf('/betwin', { ...betwin, transactions })).toEqual([
        '400',
        'transactions[0].amount: must be greater than zero',
      ]);
    },
  );

  it.each(
    [
      '1.12345678901234567',
      '1E2000000000',
      '1e1',
      '0.001',
      '10000000000000.00',
      '1'.repeat(400),
      '',
      ' 1',
      '1 ',
      '1\n',
      '+1',
      '--1',
      '.5',
      '1.',
      '1,00',
      '0x10',
      'NaN',
      'Infinity',
      '１',
      10,
      0.1,
      true,
      null,
      undefined,
      ['1'],
      {},
    ].map((value) => [value]),
  )('the amount %j is not a valid decimal amount', (amount) => {
    const transactions = [{ ...bet, amount }];
    expect(errorOf('/betwin', { ...betwin, transactions })).toEqual([
      '400',
      'transactions[0].amount: not a valid decimal amount',
    ]);
  });
});

describe('a currency of SoftSwiss', () => {
  it.each(
    ['eur', 'Eur', 'EU', '1EUR', 'EUR\n', ' EUR', 'E'.repeat(33), '', 7, null, undefined, ['EUR']].map(
      (value) => [value],
    ),
  )('the currency %j is refused, because it is not a valid code', (currency) => {
    expect(errorOf('/balance', { ...player, currency })).toEqual([
      '400',
      'currency: must match ^[A-Z][A-Z0-9_]{2,31}$',
    ]);
  });

  it('a currency that is not the currency of the package is refused with code 154', () => {
    expect(errorOf('/balance', { ...player, currency: 'USD' })).toEqual(['154', 'currency not allowed']);
  });

  it('a currency code is accepted if the connection maps it to the currency of the package', () => {
    const currencies = { CUSTOM_WIN: 'EUR', EUR: 'USD' };
    expect(callOf('/balance', { ...player, currency: 'CUSTOM_WIN' }, { currencies }).call.kind).toBe(
      'balance',
    );
    expect(errorOf('/balance', player, { currencies })[0]).toBe('154');
  });
});

describe('an id', () => {
  it.each([
    ['account_id', '/balance', player],
    ['game_id', '/balance', player],
    ['round_id', '/betwin', betwin],
    ['round_id_provider', '/rollback', undo],
    ['round_id', '/finish', finish],
  ])(
    'the id %s of %s is required, and must be a printable string of at most 128 characters',
    (field, path, body) => {
      const messageOf = (value: unknown) => errorOf(path, { ...body, [field]: value })[1];
      for (const value of [undefined, null, '']) expect(messageOf(value)).toBe(`${field}: is required`);
      for (const value of [7, true, ['a'], {}]) expect(messageOf(value)).toBe(`${field}: must be a string`);
      expect(messageOf('x'.repeat(129))).toBe(`${field}: must have at most 128 characters`);
      expect(messageOf('😀'.repeat(129))).toBe(`${field}: must have at most 128 characters`);
      for (const value of ['a\u0000', 'a\nb', '\u007f', '\ud800', 'a\udc00b', '\u2028']) {
        expect(messageOf(value)).toBe(`${field}: must not contain control characters or lone surrogates`);
      }
      for (const value of ['x'.repeat(128), '😀'.repeat(128), 'café', '"\\']) {
        expect(callOf(path, { ...body, [field]: value }).call).toBeDefined();
      }
    },
  );

  it.each([
    ['id_provider', '/betwin', betwin],
    ['id_provider', '/rollback', undo],
    ['original_id_provider', '/rollback', undo],
  ])(
    'the id %s of a transaction of %s is required, and the error names the transaction by its position',
    (field, path, body) => {
      const transactions = [...body.transactions, { ...body.transactions[0], [field]: '' }];
      const at = transactions.length - 1;
      expect(errorOf(path, { ...body, transactions })[1]).toBe(`transactions[${at}].${field}: is required`);
    },
  );

  it('the id of a game has at most 128 characters, including the prefix', () => {
    const game_id = 'x'.repeat(126);
    expect(errorOf('/balance', { ...player, game_id }, { gamePrefix: 'ss-' })[0]).toBe('400');
    expect(callOf('/balance', { ...player, game_id }, { gamePrefix: 's-' }).call).toBeDefined();
  });
});

describe('a request of SoftSwiss', () => {
  it('unknown fields of a SoftSwiss request are ignored, even one called __proto__', () => {
    const text = JSON.stringify(betwin).replace('{', '{"__proto__":{"finished":true},"new_param":[1],');
    expect(callOf('/betwin', text)).toEqual(callOf('/betwin', betwin));
  });

  it('a request is refused if a required field is only inside __proto__', () => {
    const text = '{"__proto__":{"account_id":"player-1"},"currency":"EUR","game_id":"dice"}';
    expect(errorOf('/balance', text)).toEqual(['400', 'account_id: is required']);
  });

  it('a request is accepted with its fields in any order and with escapes', () => {
    const text = '{"game_id":"d\\u0069ce","currency":"EUR","account_id":"player-1"}';
    expect(callOf('/balance', text)).toEqual(callOf('/balance', player));
  });

  it.each(['', '/', '/bet', '/balance/', '/BALANCE', '/../balance', '/constructor', '/__proto__'])(
    'a request to the unknown path %j is refused with code 404',
    (path) => {
      expect(errorOf(path, player)).toEqual(['404', 'not found']);
    },
  );

  it.each(['GET', 'PUT', 'DELETE', 'post', ''])('a request with the method %j is refused', (method) => {
    const parsed = parseRequest({ ...signWalletRequest('token', '/balance', player), method }, terms);
    expect(parsed).toMatchObject({ invalid: { status: 400 } });
  });

  it.each(['', '[]', 'null', '7', '"a"', '{', '{"a":NaN}', '\ufeff{}', "{'a':1}", `${'['.repeat(30_000)}`])(
    'a request with the body %j is refused',
    (text) => {
      expect(errorOf('/balance', text)).toEqual(['400', 'body: must be a JSON object in UTF-8']);
    },
  );

  it('a request whose body is not UTF-8 is refused', () => {
    const body = Buffer.concat([Buffer.from('{"account_id":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const parsed = parseRequest({ ...signWalletRequest('token', '/balance', player), body }, terms);
    expect(parsed).toMatchObject({ invalid: { status: 400 } });
  });

  it.each([undefined, null, [], {}, 'a', 7].map((value) => [value]))(
    'a request with the transactions %j is refused',
    (transactions) => {
      expect(errorOf('/betwin', { ...betwin, transactions })[1]).toBe(
        'transactions: must have at least one item',
      );
    },
  );

  it.each([null, [], 'a', 7].map((value) => [value]))(
    'a request with the transaction %j is refused',
    (transaction) => {
      expect(errorOf('/betwin', { ...betwin, transactions: [transaction] })[1]).toBe(
        'transactions[0]: must be an object',
      );
    },
  );

  it.each([
    ['/betwin', 'rollback', 'bet or win'],
    ['/betwin', undefined, 'bet or win'],
    ['/betwin', 'BET', 'bet or win'],
    ['/rollback', 'bet', 'rollback'],
    ['/rollback', undefined, 'rollback'],
  ])('a request to %s with a transaction of type %s is refused', (path, type, wanted) => {
    const body = path === '/betwin' ? betwin : undo;
    const transactions = [{ ...body.transactions[0], type }];
    expect(errorOf(path, { ...body, transactions })[1]).toBe(`transactions[0].type: must be ${wanted}`);
  });

  it.each(['true', 1, 0, '', []].map((value) => [value]))(
    'a request with finished %j is refused',
    (finished) => {
      expect(errorOf('/betwin', { ...betwin, finished })[1]).toBe('finished: must be true or false');
    },
  );

  it.each([7, ['a'], 'x'.repeat(129), '\u0000'].map((value) => [value]))(
    'a request with the session %j is refused',
    (session_id) => {
      expect(errorOf('/betwin', { ...betwin, session_id })[0]).toBe('400');
    },
  );
});
