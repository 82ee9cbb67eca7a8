// Requests of Hub88 and Caleta, and the canonical calls to which they are parsed.
import { describe, expect, it } from 'vitest';
import type { PlayCall, ProviderCall, Terms } from '../dialect.ts';
import { hub88 } from './hub88.ts';

const terms: Terms = { currency: 'EUR', decimals: 5, currencies: {}, gamePrefix: '', profile: '' };
const player = { user: 'player-1', token: 'gs_1', request_uuid: 'request-1' };
const bet = {
  ...player,
  transaction_uuid: 'tx-1',
  supplier_transaction_id: 'supplier-1',
  round: 'round-1',
  round_closed: false,
  is_free: false,
  game_code: 'dice',
  currency: 'EUR',
  amount: 1_050_000,
  meta: { amount: 1.5 },
};
const win = { ...bet, transaction_uuid: 'tx-2', reference_transaction_uuid: 'tx-1' };
const { amount: _amount, currency: _currency, ...unpriced } = win;
const rollback = { ...unpriced, transaction_uuid: 'tx-3' };

const paths = {
  info: '/user/info',
  balance: '/user/balance',
  bet: '/transaction/bet',
  win: '/transaction/win',
  rollback: '/transaction/rollback',
};

function parse(path: string, content: object | string, given: Partial<Terms> = {}, method = 'POST') {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const request = { method, path, query: '', headers: {}, body };
  return hub88.parse(request, { ...terms, ...given }, []);
}

function callOf(...sent: Parameters<typeof parse>): ProviderCall {
  const parsed = parse(...sent);
  if ('invalid' in parsed) throw new Error(parsed.invalid.body);
  return parsed.call;
}

const playOf = (...sent: Parameters<typeof parse>): PlayCall => callOf(...sent) as PlayCall;

function refusalOf(...sent: Parameters<typeof parse>) {
  const parsed = parse(...sent);
  if (!('invalid' in parsed)) throw new Error('the request was accepted');
  expect(parsed.invalid.status).toBe(200);
  return JSON.parse(parsed.invalid.body);
}

const running = { token: 'gs_1', needs: 'running' };
const unchecked = { token: undefined, needs: 'nothing' };

describe('a bet of Hub88', () => {
  it('a bet of Hub88 becomes one leg with transaction_uuid as its key, and needs a running session', () => {
    const key = 'tx-1';
    expect(callOf(paths.bet, bet)).toEqual({
      kind: 'play',
      playerId: 'player-1',
      requestId: 'request-1',
      session: running,
      legs: [{ type: 'bet', key, transactionId: key, amount: 1_050_000n, purse: 'cash' }],
      gameId: 'dice',
      roundId: 'round-1',
      roundFinished: false,
    });
  });

  it('a free bet has a stake of zero', () => {
    expect(playOf(paths.bet, { ...bet, is_free: true }).legs).toMatchObject([{ type: 'bet', amount: 0n }]);
  });

  it('a bet of Hub88 with an amount of zero is accepted', () => {
    expect(playOf(paths.bet, { ...bet, amount: 0 }).legs).toMatchObject([{ amount: 0n }]);
  });

  it('a bet of Hub88 closes its round if the request has the flag round_closed', () => {
    expect(playOf(paths.bet, { ...bet, round_closed: true }).roundFinished).toBe(true);
  });

  it('a bet without a token is refused as a syntax error', () => {
    expect(refusalOf(paths.bet, { ...bet, token: undefined }).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });

  it('a bet is accepted if its flags are missing or null', () => {
    const given = { ...bet, is_free: null, round_closed: undefined };
    expect(playOf(paths.bet, given)).toMatchObject({ roundFinished: false, legs: [{ amount: 1_050_000n }] });
  });

  it('unknown fields of a bet are ignored, even with the name of a property of Object.prototype', () => {
    const text = JSON.stringify(bet).replace('{', '{"__proto__":{"user":"x"},"constructor":1,"extra":[],');
    expect(playOf(paths.bet, text).playerId).toBe('player-1');
  });
});

describe('a win of Hub88', () => {
  it('a win names its bet, and is accepted without a session', () => {
    const call = playOf(paths.win, { ...win, round_closed: true });
    const leg = { type: 'win', key: 'tx-2', transactionId: 'tx-2', amount: 1_050_000n, purse: 'cash' };
    expect(call.legs).toEqual([{ ...leg, betKey: 'tx-1', needsOpenRound: false }]);
    expect(call).toMatchObject({ session: unchecked, roundFinished: true });
  });

  it.each([undefined, null, '', 7, 'x'.repeat(300)])('a win is accepted with any token (%j)', (token) => {
    expect(playOf(paths.win, { ...win, token }).session).toEqual(unchecked);
  });

  it('a win of a free bet is paid', () => {
    expect(playOf(paths.win, { ...win, is_free: true }).legs).toMatchObject([{ amount: 1_050_000n }]);
  });

  it('a win that names no bet is refused as a syntax error', () => {
    expect(refusalOf(paths.win, bet).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });
});

describe('a rollback of Hub88', () => {
  it('a rollback undoes bets and wins by their key, and is accepted without a session', () => {
    const call = playOf(paths.rollback, rollback);
    const leg = { type: 'rollback', key: 'tx-3', transactionId: 'tx-3', purse: 'cash' };
    expect(call.legs).toEqual([{ ...leg, originalKey: 'tx-1', undoes: 'any' }]);
    expect(call.session).toEqual(unchecked);
  });

  it('a rollback is accepted if it has no amount, currency, game or round', () => {
    const { round: _round, game_code: _game, ...bare } = rollback;
    const call = playOf(paths.rollback, { ...bare, round_closed: true });
    expect(call).toMatchObject({ gameId: undefined, roundId: undefined, roundFinished: false });
  });

  it('a rollback in a currency that is not the package’s is refused', () => {
    expect(refusalOf(paths.rollback, { ...rollback, currency: 'USD' }).status).toBe(
      'RS_ERROR_WRONG_CURRENCY',
    );
  });

  it('a bet and a win of Hub88 with the same transaction_uuid have the same key', () => {
    const keys = [playOf(paths.bet, bet), playOf(paths.win, { ...win, transaction_uuid: 'tx-1' })];
    expect(keys.map(({ legs: [leg] }) => leg)).toMatchObject([{ key: 'tx-1' }, { key: 'tx-1' }]);
  });
});

describe('a balance request of Hub88', () => {
  it('a balance request needs a running session', () => {
    const call = { kind: 'balance', playerId: 'player-1', session: running };
    expect(callOf(paths.balance, { ...player, game_code: null })).toEqual(call);
    expect(refusalOf(paths.balance, { ...player, token: undefined }).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });

  it('a request to /user/info needs a running session only if the request has a token', () => {
    expect(callOf(paths.info, player)).toMatchObject({ kind: 'balance', session: running });
    const { token: _token, ...documented } = player;
    expect(callOf(paths.info, documented)).toMatchObject({ kind: 'balance', session: unchecked });
  });
});

describe('an amount of Hub88', () => {
  const statusOf = (amount: string, decimals = 5) =>
    refusalOf(paths.bet, JSON.stringify(bet).replace('1050000', amount), { decimals }).status;

  it.each([
    [0, '300000', 3n],
    [2, '1050000', 1050n],
    [3, '1050100', 10_501n],
    [5, '1', 1n],
    [8, '1', 1000n],
    [5, '999999999999999', 999_999_999_999_999n],
  ])(
    'an amount of Hub88 is converted exactly to the minor units of a package with %i decimals',
    (decimals, amount, minor) => {
      const text = JSON.stringify(bet).replace('1050000', amount);
      expect(playOf(paths.bet, text, { decimals }).legs).toMatchObject([{ amount: minor }]);
    },
  );

  it('spaces and line breaks around an amount are accepted', () => {
    const text = JSON.stringify(bet).replace('"amount":1050000', '"amount" :\n 1050000 ');
    expect(playOf(paths.bet, text).legs).toMatchObject([{ amount: 1_050_000n }]);
  });

  it.each([
    [2, '1050001'],
    [2, '1'],
    [0, '1050000'],
  ])(
    'an amount that is too fine for the package’s %i decimals gets RS_ERROR_WRONG_TYPES',
    (decimals, amount) => {
      expect(statusOf(amount, decimals)).toBe('RS_ERROR_WRONG_TYPES');
    },
  );

  it.each([
    '-1',
    '-0',
    '0.1',
    '1050000.0',
    '1050000.00000000000000001',
    '1.12345678901234567',
    '1e5',
    '1E5',
    '105e4',
    '1e400',
    '1000000000000000',
    '9007199254740993',
    '99999999999999999999999999',
    '"1050000"',
    'null',
    'true',
    '[1050000]',
    '{}',
  ])('the amount %s gets RS_ERROR_WRONG_TYPES', (amount) => {
    expect(statusOf(amount)).toBe('RS_ERROR_WRONG_TYPES');
  });

  it('an amount that is not valid JSON, such as NaN, gets RS_ERROR_WRONG_SYNTAX', () => {
    for (const amount of ['NaN', 'Infinity', '0x10', '01', '+1', '.5', '']) {
      expect(statusOf(amount)).toBe('RS_ERROR_WRONG_SYNTAX');
    }
  });

  it('a bet without an amount gets RS_ERROR_WRONG_SYNTAX', () => {
    const { amount: _missing, ...rest } = bet;
    expect(refusalOf(paths.bet, rest).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });
});

describe('a currency', () => {
  it.each(['eur', 'USD', 'XXX', '', 'EUR ', 'constructor'])(
    'a bet with the currency %j gets RS_ERROR_WRONG_CURRENCY',
    (currency) => {
      expect(refusalOf(paths.bet, { ...bet, currency }).status).toBe('RS_ERROR_WRONG_CURRENCY');
    },
  );

  it('a currency that the connection maps to the package’s currency is accepted and returned', () => {
    const currencies = { EURX: 'EUR', EUR: 'USD' };
    const parsed = parse(paths.bet, { ...bet, currency: 'EURX' }, { currencies });
    expect(parsed).toMatchObject({ context: { currency: 'EURX' } });
    expect(refusalOf(paths.bet, bet, { currencies }).status).toBe('RS_ERROR_WRONG_CURRENCY');
    expect(parse(paths.balance, player, { currencies })).toMatchObject({ context: { currency: 'EURX' } });
  });

  it('a currency that is missing or not a text is refused', () => {
    expect(refusalOf(paths.bet, { ...bet, currency: undefined }).status).toBe('RS_ERROR_WRONG_SYNTAX');
    expect(refusalOf(paths.bet, { ...bet, currency: 978 }).status).toBe('RS_ERROR_WRONG_TYPES');
  });
});

describe('a game of Hub88', () => {
  it('a game has an id that begins with the prefix of the connection', () => {
    expect(playOf(paths.bet, bet, { gamePrefix: 'hub-' }).gameId).toBe('hub-dice');
  });

  it('a bet is refused if the id of its game is too long together with the prefix', () => {
    const given = { ...bet, game_code: 'x'.repeat(126) };
    expect(playOf(paths.bet, given).gameId).toHaveLength(126);
    expect(refusalOf(paths.bet, given, { gamePrefix: 'hub-' }).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });
});

describe('an invalid request', () => {
  it('the answer to an invalid request contains the user and request_uuid of the request if valid', () => {
    const status = 'RS_ERROR_WRONG_SYNTAX';
    const echo = { user: 'player-1', request_uuid: 'request-1', status };
    expect(refusalOf(paths.bet, player)).toEqual(echo);
    expect(refusalOf(paths.bet, { user: 'a\u0000', request_uuid: '' })).toEqual({ status });
  });

  it.each(['/transaction/unknown', '', '/', '/transaction/bet/', '/wallet/bet', '/wallet/check'])(
    'a request to the unknown path %j gets RS_ERROR_WRONG_SYNTAX',
    (path) => {
      expect(refusalOf(path, bet)).toMatchObject({ status: 'RS_ERROR_WRONG_SYNTAX' });
    },
  );

  it.each(['GET', 'PUT', 'DELETE'])('a request with the method %s gets RS_ERROR_WRONG_SYNTAX', (method) => {
    expect(refusalOf(paths.bet, bet, {}, method).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });
});

describe('the profile caleta', () => {
  const profile = 'caleta';
  const { user: _user, ...shared } = bet;
  const sent = { ...shared, supplier_user: 'player-1' };

  it('the profile caleta accepts the paths of Caleta and those of Hub88', () => {
    expect(callOf('/wallet/bet', sent, { profile })).toEqual(callOf(paths.bet, bet));
    expect(callOf('/wallet/win', win, { profile })).toEqual(callOf(paths.win, win));
    expect(callOf('/wallet/rollback', rollback, { profile })).toEqual(callOf(paths.rollback, rollback));
    expect(callOf('/wallet/balance', player, { profile })).toEqual(callOf(paths.balance, player));
    expect(callOf(paths.bet, bet, { profile })).toEqual(callOf(paths.bet, bet));
  });

  it('the profile caleta reads the player from user or supplier_user, plain Hub88 only from user', () => {
    expect(playOf('/wallet/bet', sent, { profile }).playerId).toBe('player-1');
    expect(playOf('/wallet/bet', { ...sent, user: 'player-2' }, { profile }).playerId).toBe('player-2');
    expect(refusalOf(paths.bet, sent).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });

  it.each([
    ['/wallet/balance', { ...player, user: undefined }],
    ['/wallet/bet', { ...bet, user: undefined, supplier_user: null }],
    ['/wallet/win', { ...win, user: undefined, supplier_user: '' }],
    ['/wallet/rollback', { ...rollback, user: null }],
  ])('the token identifies the player if a request to %s names no player', (path, content) => {
    const { call, context } = parse(path, content, { profile }) as { call: object; context: object };
    expect(call).toMatchObject({ playerId: '', playerOf: 'gs_1' });
    expect(context).toMatchObject({ user: undefined });
    const nobody = { ...content, token: undefined };
    expect(refusalOf(path, nobody, { profile }).status).toBe('RS_ERROR_WRONG_SYNTAX');
  });

  it('in the profile caleta, a request to /wallet/check asks for a new token', () => {
    expect(callOf('/wallet/check', { token: 'gs_1' }, { profile })).toEqual({
      kind: 'replace_session',
      token: 'gs_1',
    });
    expect(refusalOf('/wallet/check', {}, { profile })).toEqual({ status: 'RS_ERROR_WRONG_SYNTAX' });
  });
});
