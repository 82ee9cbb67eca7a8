// Requests of Slotegrator, and the canonical calls to which they are parsed.
import { describe, expect, it } from 'vitest';
import type { Parsed, PlayCall, Terms } from '../dialect.ts';
import { parseRequest, type SlotegratorContext } from './parse.ts';
import { signWalletRequest } from './signature.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: '', profile: '' };
const merchant = { merchantId: 'm', merchantKey: 'k' };
const stamp = { timestamp: 1, nonce: 'n' };
const player = { player_id: 'player-1', currency: 'EUR', session_id: 'gs_1' };
const game = { ...player, game_uuid: 'g-1', round_id: 'r-1' };
const bet = { ...game, action: 'bet', amount: '10.00', transaction_id: 't-1', type: 'bet' };
const win = { ...game, action: 'win', amount: '5.5', transaction_id: 't-2', type: 'win' };
const refund = { ...game, action: 'refund', amount: '10', transaction_id: 't-3', bet_transaction_id: 't-1' };
const rollback = {
  ...game,
  action: 'rollback',
  transaction_id: 't-4',
  type: 'rollback',
  rollback_transactions: [
    { action: 'win', amount: '5.5', transaction_id: 't-2', type: 'win' },
    { action: 'bet', amount: '10.00', transaction_id: 't-1', type: 'bet' },
  ],
};

type Format = 'form' | 'json';
const parse = (fields: object, format: Format = 'form', own: Partial<Terms> = {}) =>
  parseRequest(signWalletRequest(merchant, fields, stamp, format), { ...terms, ...own });

function playOf(parsed: Parsed<SlotegratorContext>): PlayCall {
  if (!('call' in parsed) || parsed.call.kind !== 'play') throw new Error(JSON.stringify(parsed));
  return parsed.call;
}
const describeError = (parsed: Parsed<SlotegratorContext>): string => {
  if (!('invalid' in parsed)) throw new Error('accepted');
  const { error_code: code, error_description: description } = JSON.parse(parsed.invalid.body);
  expect([parsed.invalid.status, code]).toEqual([200, 'INTERNAL_ERROR']);
  return description;
};

describe.each(['form', 'json'] as const)('Slotegrator requests, sent as a %s', (format) => {
  it('a balance request is accepted with and without a session', () => {
    expect(parse({ ...player, action: 'balance' }, format)).toEqual({
      call: { kind: 'balance', playerId: 'player-1', session: { token: 'gs_1', needs: 'nothing' } },
      context: {},
    });
    const { session_id: _, ...rest } = player;
    expect(parse({ ...rest, action: 'balance' }, format)).toMatchObject({
      call: { session: { token: undefined, needs: 'nothing' } },
    });
  });

  it('a bet becomes one leg whose key is the transaction_id', () => {
    expect(parse(bet, format)).toEqual({
      call: {
        kind: 'play',
        playerId: 'player-1',
        session: { token: 'gs_1', needs: 'nothing' },
        legs: [{ type: 'bet', key: 't-1', transactionId: 't-1', amount: 1000n, purse: 'cash' }],
        gameId: 'g-1',
        roundId: 'r-1',
        roundFinished: false,
      },
      context: {},
    });
  });

  it('a win becomes one leg that names no bet', () => {
    const [leg] = playOf(parse(win, format)).legs;
    expect(leg).toEqual({
      type: 'win',
      key: 't-2',
      transactionId: 't-2',
      amount: 550n,
      purse: 'cash',
      betKey: undefined,
      needsOpenRound: false,
    });
  });

  it('a refund undoes the bet that it names; bets and refunds share one id space', () => {
    const [leg] = playOf(parse(refund, format)).legs;
    expect(leg).toEqual({
      type: 'rollback',
      key: 't-3',
      transactionId: 't-3',
      purse: 'cash',
      originalKey: 't-1',
      undoes: 'bets',
    });
  });

  it('a rollback has one leg per transaction, stakes first, and lists the ids in the sent order', () => {
    const parsed = parse(rollback, format);
    const undo = { type: 'rollback', transactionId: 't-4', purse: 'cash', undoes: 'any' };
    expect(playOf(parsed).legs).toEqual([
      { ...undo, key: expect.stringMatching(/^t-4\n[\w-]{22}\nt-1$/), originalKey: 't-1' },
      { ...undo, key: expect.stringMatching(/^t-4\n[\w-]{22}\nt-2$/), originalKey: 't-2' },
    ]);
    expect(parsed).toMatchObject({
      call: { requestId: 't-4', isRequestBound: true },
      context: { rolledBack: ['t-2', 't-1'] },
    });
  });

  it('the keys of a rollback depend on its list, but not on the list’s order or on trailing zeros', () => {
    const keysOf = (entries: readonly object[]) =>
      playOf(parse({ ...rollback, rollback_transactions: entries }, format))
        .legs.map((leg) => ('key' in leg ? leg.key : ''))
        .sort();
    const entry = { action: 'bet', amount: '10.00', transaction_id: 't-1' };
    const other = { action: 'win', amount: '5', transaction_id: 't-2' };
    const keys = keysOf([entry, other]);
    expect(keysOf([other, { ...entry, amount: '10' }])).toEqual(keys);
    for (const list of [[entry], [entry, { ...other, amount: '50' }], [entry, { ...other, action: 'bet' }]]) {
      expect(keysOf(list).filter((key) => keys.includes(key))).toEqual([]);
    }
  });

  it('a refund in the list of a rollback has no leg, because its bet is in the same list', () => {
    const entries = [
      ...rollback.rollback_transactions,
      { action: 'refund', amount: 10, transaction_id: 't-3' },
    ];
    const parsed = parse({ ...rollback, rollback_transactions: entries }, format);
    expect(playOf(parsed).legs).toHaveLength(2);
    expect(parsed).toMatchObject({ context: { rolledBack: ['t-2', 't-1', 't-3'] } });
    const alone = { ...rollback, rollback_transactions: entries.slice(2) };
    expect(describeError(parse(alone, format))).toBe('rollback_transactions: must have a bet or a win');
  });

  it('a freespin becomes a bet of 0, and is refused if its amount is not 0', () => {
    const freespin = { ...bet, type: 'freespin', freespin_id: 'f-1', quantity: 3 };
    expect(playOf(parse({ ...freespin, amount: 0 }, format)).legs).toMatchObject([{ amount: 0n }]);
    expect(describeError(parse(freespin, format))).toBe('amount: must be 0 for a freespin');
  });

  it('a bet with the amount 0 and a win with the amount 0 are accepted', () => {
    expect(playOf(parse({ ...bet, amount: 0 }, format)).legs).toMatchObject([{ amount: 0n }]);
    expect(playOf(parse({ ...win, amount: '0.00' }, format)).legs).toMatchObject([{ amount: 0n }]);
  });

  it('a tip is parsed as a bet', () => {
    expect(playOf(parse({ ...bet, type: 'tip' }, format)).legs).toMatchObject([
      { type: 'bet', amount: 1000n },
    ]);
  });

  it.each(['win', 'jackpot', 'freespin', 'bonus', 'tournament', 'a_new_type', ''])(
    'a win of the type "%s" is paid',
    (type) => {
      expect(playOf(parse({ ...win, type }, format)).legs).toMatchObject([{ type: 'win', amount: 550n }]);
    },
  );

  it.each([
    [true, true],
    [1, true],
    ['1', true],
    ['true', true],
    [false, false],
    [0, false],
    ['0', false],
    ['', false],
    [null, false],
  ])('finished = %j is parsed as roundFinished = %s', (finished, isClosed) => {
    expect(playOf(parse({ ...win, finished }, format)).roundFinished).toBe(isClosed);
  });

  it.each([null, ''])('a request with the round_id %j is accepted as a call without a round', (round) => {
    const call = playOf(parse({ ...bet, round_id: round, finished: true }, format));
    expect([call.roundId, call.roundFinished]).toEqual([undefined, false]);
  });

  it('the game of a call has the prefix of the connection', () => {
    expect(playOf(parse(bet, format, { gamePrefix: 'sg-' })).gameId).toBe('sg-g-1');
    const long = { ...bet, game_uuid: 'x'.repeat(126) };
    expect(describeError(parse(long, format, { gamePrefix: 'sg-' }))).toMatch(/^game_uuid: /);
  });

  it('a currency code that the connection maps is accepted, and any other code is refused', () => {
    expect(parse({ ...bet, currency: 'EURX' }, format, { currencies: { EURX: 'EUR' } })).toHaveProperty(
      'call',
    );
    for (const currency of ['USD', 'EURX', '__PROTO__']) {
      expect(describeError(parse({ ...bet, currency }, format))).toMatch(/^currency: /);
    }
    expect(describeError(parse(bet, format, { currencies: { EUR: 'USD' } }))).toMatch(/^currency: /);
  });

  it('unknown fields of a request are ignored', () => {
    const more = {
      casino_request_retry_count: 2,
      transaction_datetime: 'x',
      a: { b: [1] },
      constructor: 1,
    };
    expect(parse({ ...bet, ...more }, format)).toEqual(parse(bet, format));
  });
});

describe('an amount of Slotegrator', () => {
  const amountOf = (amount: unknown, decimals = 2) => {
    const [leg] = playOf(parse({ ...win, amount }, 'json', { decimals })).legs;
    return leg?.type === 'win' ? leg.amount : undefined;
  };
  const literal = (text: string) => {
    const request = signWalletRequest(merchant, { ...win, amount: 0 }, stamp, 'json');
    return parseRequest(
      { ...request, body: Buffer.from(String(request.body).replace(':0,', `:${text},`)) },
      terms,
    );
  };

  it.each([
    ['10', 1000n],
    [10, 1000n],
    ['10.5000', 1050n],
    [0.1, 10n],
    [0.07, 7n],
    [19.99, 1999n],
    [9_999_999_999_999.99, 999_999_999_999_999n],
  ])('the amount %j is read exactly', (amount, minor) => {
    expect(amountOf(amount)).toBe(minor);
  });

  it('an amount is accepted with up to as many decimals as the package has', () => {
    expect(amountOf(9.996, 4)).toBe(99_960n);
    expect(amountOf('0.00000001', 8)).toBe(1n);
    expect(describeError(parse({ ...win, amount: 9.996 }))).toBe(
      'amount: must have at most 15 digits, of them 2 decimals',
    );
  });

  it.each([
    '1.00000000000000001',
    '0.10000000000000000',
    '12345678901234567',
    '1e2',
    '1E2',
    '1e400',
    '1.5e0',
  ])('an amount with the JSON literal %s is refused, not rounded', (text) => {
    expect(describeError(literal(text))).toMatch(/^amount: /);
  });

  it('an amount is accepted if another field is a text with many digits', () => {
    const parsed = parse({ ...win, amount: 5.5, transaction_id: '12345678901234567e5', x: '"1e5\\' }, 'json');
    expect(playOf(parsed).legs).toMatchObject([{ amount: 550n }]);
  });

  it.each([
    [-1, 'amount: must not be negative'],
    ['-0.01', 'amount: must not be negative'],
    ['', 'amount: is required'],
    [null, 'amount: is required'],
    ['1,5', 'amount: not a valid decimal amount'],
    ['1e2', 'amount: not a valid decimal amount'],
    ['+1', 'amount: not a valid decimal amount'],
    [' 1', 'amount: not a valid decimal amount'],
    ['.5', 'amount: not a valid decimal amount'],
    ['5.', 'amount: not a valid decimal amount'],
    ['0x10', 'amount: not a valid decimal amount'],
    ['NaN', 'amount: not a valid decimal amount'],
    ['1'.repeat(16), 'amount: not a valid decimal amount'],
    ['0.12345678901234567', 'amount: not a valid decimal amount'],
    [true, 'amount: not a valid decimal amount'],
    ['99999999999999.00', 'amount: must have at most 15 digits, of them 2 decimals'],
  ])('an amount of %j is refused', (amount, description) => {
    expect(describeError(parse({ ...win, amount }, 'json'))).toBe(description);
  });

  it('a refund or rollback is accepted even if its amounts have more decimals than the package', () => {
    expect(parse({ ...refund, amount: '12.9308' })).toHaveProperty('call');
    const entry = { action: 'bet', amount: 12.9308, transaction_id: 't-1' };
    expect(parse({ ...rollback, rollback_transactions: [entry] })).toHaveProperty('call');
    for (const amount of ['-1', '1e2', '0.12345678901234567', '', null]) {
      expect(describeError(parse({ ...refund, amount }))).toMatch(/^amount: /);
      const bad = { ...rollback, rollback_transactions: [{ ...entry, amount }] };
      expect(describeError(parse(bad))).toMatch(/^rollback_transactions\[0\]\[amount\]: /);
    }
  });
});

describe('an invalid request of Slotegrator', () => {
  const request = signWalletRequest(merchant, bet, stamp);

  it('a request to the path /bet is refused, and a request to "/" is accepted', () => {
    expect(describeError(parseRequest({ ...request, path: '/bet' }, terms))).toBe('not found');
    expect(parseRequest({ ...request, path: '/' }, terms)).toHaveProperty('call');
  });

  it('a request is refused if its method is not POST', () => {
    expect(describeError(parseRequest({ ...request, method: 'GET' }, terms))).toBe('method: must be POST');
  });

  it.each([undefined, '', 'BET', 'betwin', '__proto__', 7])(
    'a request with the action %j is refused',
    (action) => {
      expect(describeError(parse({ ...bet, action }, 'json'))).toBe(
        'action: must be balance, bet, win, refund or rollback',
      );
    },
  );

  it('a bet of an unknown type is refused', () => {
    expect(describeError(parse({ ...bet, type: 'win' }))).toBe('type: must be bet, tip or freespin');
  });

  it.each([
    ['player_id', bet],
    ['game_uuid', bet],
    ['transaction_id', bet],
    ['transaction_id', win],
    ['transaction_id', refund],
    ['bet_transaction_id', refund],
    ['transaction_id', rollback],
  ])('a request is refused if %s is missing or invalid', (name, fields) => {
    for (const value of [
      undefined,
      null,
      '',
      7,
      true,
      'x'.repeat(129),
      'a\u0000',
      'a\n',
      'a\u0085',
      [],
      ['a'],
    ]) {
      expect(describeError(parse({ ...fields, [name]: value }, 'json'))).toMatch(new RegExp(`^${name}: `));
    }
    expect(parse({ ...fields, [name]: '😀'.repeat(128) }, 'json')).toHaveProperty('call');
  });

  it.each([undefined, 'eur', 'EU', '', 7, 'E R', ['EUR']].map((value) => [value]))(
    'a bet with the currency %j is refused',
    (currency) => {
      expect(describeError(parse({ ...bet, currency }, 'json'))).toMatch(/^currency: /);
    },
  );

  it.each([2, 'yes', 'TRUE', -1])('a bet with finished = %j is refused', (finished) => {
    expect(describeError(parse({ ...bet, finished }, 'json'))).toBe('finished: must be 1 or 0');
  });

  it.each([
    [undefined],
    [[]],
    ['t-1'],
    [{}],
    [['t-1']],
    [[{ action: 'bet', amount: 1 }]],
    [[{ amount: 1, transaction_id: 't-1' }]],
    [[{ action: 'tip', amount: 1, transaction_id: 't-1' }]],
    [Array.from({ length: 101 }, (_, id) => ({ action: 'bet', amount: 1, transaction_id: `t-${id}` }))],
  ])('a rollback with the rollback_transactions %j is refused', (entries) => {
    expect(describeError(parse({ ...rollback, rollback_transactions: entries }, 'json'))).toMatch(
      /^rollback_transactions/,
    );
  });
});

it('gaps in the numbering of rollback_transactions are accepted', () => {
  const [first, second] = rollback.rollback_transactions;
  const parsed = parse({ ...rollback, rollback_transactions: { 3: first, 7: second } });
  expect(parsed).toMatchObject({ context: { rolledBack: ['t-2', 't-1'] } });
});
