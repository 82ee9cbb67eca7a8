// Requests to a SoftSwiss provider, and the parsing of the answers.
import { describe, expect, it } from 'vitest';
import type { Terms } from '../dialect.ts';
import {
  buildGameListRequest,
  buildLaunchRequest,
  parseGameList,
  parseLaunch,
  type SoftswissLaunch,
} from './outward.ts';
import { signBody } from './signature.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: 'ss-' };
const casino = { casinoId: 'my casino', token: 'token' };
const launch: SoftswissLaunch = {
  mode: 'real',
  gameId: 'ss-dice',
  playerId: 'player-1',
  sessionId: 'gs_1',
  language: 'en',
  platform: 'mobile',
  ip: '192.0.2.1',
  returnUrl: 'https://casino.example/lobby',
  depositUrl: 'https://casino.example/deposit',
};
const bodyOf = (own: Partial<SoftswissLaunch> = {}, at: Partial<Terms> = {}) =>
  JSON.parse(String(buildLaunchRequest(casino, { ...launch, ...own }, { ...terms, ...at })?.body));
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

describe('a request to a SoftSwiss provider', () => {
  it('a request for the list of games names the casino, and has the signature of an empty body', () => {
    const request = buildGameListRequest(casino);
    expect(request).toMatchObject({ method: 'GET', path: '/api/v1/operator/games?operator=my%20casino' });
    expect(request.body).toHaveLength(0);
    expect(request.headers['x-request-sign']).toBe(signBody('token', Buffer.alloc(0)));
  });

  it('a request for a launch with money names the player and the session, and is signed', () => {
    const request = buildLaunchRequest(casino, launch, terms);
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/softswiss/launcher/real' });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-sign': signBody('token', request?.body ?? Buffer.alloc(0)),
    });
    expect(bodyOf()).toEqual({
      casino_id: 'my casino',
      game: 'dice',
      locale: 'en',
      ip: '192.0.2.1',
      client_type: 'mobile',
      urls: { return_url: 'https://casino.example/lobby', deposit_url: 'https://casino.example/deposit' },
      account: { id: 'player-1', currency: 'EUR' },
      session_id: 'gs_1',
    });
  });

  it('a request for a demo names neither the player nor the session', () => {
    const request = buildLaunchRequest(casino, { ...launch, mode: 'demo' }, terms);
    expect(request?.path).toBe('/api/v1/softswiss/launcher/demo');
    expect(bodyOf({ mode: 'demo' })).toEqual({
      casino_id: 'my casino',
      game: 'dice',
      locale: 'en',
      ip: '192.0.2.1',
      client_type: 'mobile',
      urls: { return_url: 'https://casino.example/lobby' },
      currency: 'EUR',
    });
  });

  it('a request to a SoftSwiss provider names the package’s currency by the provider’s code', () => {
    expect(bodyOf({}, { currencies: { USDX: 'USD', EURX: 'EUR' } }).account.currency).toBe('EURX');
  });

  it.each([
    ['en', 'en'],
    ['en-GB', 'en-GB'],
    ['en_gb', 'en_gb'],
    ['en-soc', 'en-soc'],
    ['zh-Hans-CN', 'zh'],
    ['deu', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the language %j of a player is sent as the locale %j', (language, locale) => {
    expect(bodyOf({ language }).locale).toBe(locale);
  });

  it('a request omits a platform that the protocol does not know', () => {
    expect(bodyOf({ platform: 'tv' })).not.toHaveProperty('client_type');
  });

  it.each(['dice', 'ss-', 'xx-dice'])(
    'no request to a SoftSwiss provider is built for %s, which is not a game of the connection',
    (gameId) => {
      expect(buildLaunchRequest(casino, { ...launch, gameId }, terms)).toBeUndefined();
    },
  );
});

const game = {
  title: 'Lucky Dice',
  identifier: 'dice',
  category: 'dice',
  feature_group: 'my casino',
  payout: 96.5,
  volatility_rating: 'high',
  has_freespins: false,
  demo_available: true,
  thumbnail: 'https://cdn.example/dice.png',
  images: [
    { type: 'square_640', width: 640, height: 640, url: 'https://cdn.example/square.png' },
    { type: 'portrait_3x4', width: 600, height: 800, url: 'javascript:alert(1)' },
    { type: '__proto__ ', width: 1, height: 1, url: 'https://cdn.example/x.png' },
    'no image',
  ],
  currencies: ['EUR', 'USD', 7],
};
const list = (...games: unknown[]) => parseGameList(200, bytes({ games }), terms);
const gamesOf = (...games: unknown[]) => {
  const answer = list(...games);
  return answer.kind === 'listed' ? answer.games : [];
};

describe('a list of games', () => {
  it('a list is parsed, and each game gets the prefix of the connection', () => {
    expect(list(game)).toEqual({
      kind: 'listed',
      games: [
        {
          gameId: 'ss-dice',
          title: 'Lucky Dice',
          category: 'dice',
          payout: 96.5,
          volatility: 'high',
          hasFreespins: false,
          hasDemo: true,
          thumbnail: 'https://cdn.example/dice.png',
          images: { square_640: 'https://cdn.example/square.png' },
          currencies: ['EUR', 'USD'],
        },
      ],
    });
  });

  it('a game of a list is accepted with only an identifier and a title', () => {
    expect(gamesOf({ identifier: 'a', title: 'A', payout: '96', images: {}, thumbnail: 'a b' })).toEqual([
      {
        gameId: 'ss-a',
        title: 'A',
        category: undefined,
        payout: undefined,
        volatility: undefined,
        hasFreespins: undefined,
        hasDemo: undefined,
        thumbnail: undefined,
        images: {},
        currencies: [],
      },
    ]);
  });

  it.each([
    null,
    'dice',
    [],
    {},
    { ...game, identifier: '' },
    { ...game, identifier: 7 },
    { ...game, identifier: 'x'.repeat(126) },
    { ...game, identifier: 'a\u0000' },
    { ...game, identifier: '\ud800' },
    { ...game, title: undefined },
    { ...game, title: 'x'.repeat(256) },
  ])('a list leaves out the game %#, because its identifier or its title is not valid', (given) => {
    expect(gamesOf(given, { ...game, identifier: 'other' })).toHaveLength(1);
  });

  it('if two games of a list have the same identifier, only the first game is parsed', () => {
    expect(gamesOf(game, { ...game, title: 'Copy' }).map(({ title }) => title)).toEqual(['Lucky Dice']);
  });

  it.each([0, -1, 101, Number.NaN, '96', null])('the invalid payout %s of a game is left out', (payout) => {
    expect(gamesOf({ ...game, payout })[0]?.payout).toBeUndefined();
  });

  it.each([
    [200, 'no JSON', 'not_json'],
    [200, '[]', 'not_json'],
    [200, '{}', 'wrong_shape'],
    [200, '{"games":{}}', 'wrong_shape'],
    [200, JSON.stringify({ games: Array(20_001).fill(0) }), 'too_large'],
    [403, '{}', 'not_authorised'],
    [404, '{}', 'wrong_status'],
    [500, '{}', 'wrong_status'],
  ])('an unusable list of games is a failure (HTTP status %i, case %#)', (status, body, reason) => {
    expect(parseGameList(status, bytes(body), terms)).toEqual({ kind: 'failed', reason });
  });
});

describe('the answer to a launch', () => {
  const refusal = (api_code: unknown) => ({ code: 'invalid_argument', msg: 'no', meta: { api_code } });

  it('the launch URL is parsed from the answer to a launch', () => {
    const launchUrl = 'https://games.example/dice?token=1';
    expect(parseLaunch(200, bytes({ launch_url: launchUrl }))).toEqual({ kind: 'launched', launchUrl });
  });

  it.each([
    undefined,
    7,
    '',
    'javascript:alert(1)',
    '//games.example/',
    'ftp://games.example/',
    'https://user@games.example/',
    'https://games.example\\@other.example/',
    'https://games.example/a b',
    `https://games.example/${'x'.repeat(2048)}`,
  ])('an answer with the launch URL %j fails', (launch_url) => {
    expect(parseLaunch(200, bytes({ launch_url }))).toEqual({ kind: 'failed', reason: 'wrong_shape' });
  });

  it.each(['107', '153', '154', '405', '700'])(
    'an answer with the code %s means that the game is unavailable',
    (code) => {
      expect(parseLaunch(400, bytes(refusal(code)))).toEqual({ kind: 'refused', code: 'game_unavailable' });
    },
  );

  it.each([
    [403, refusal('403'), 'not_authorised'],
    [400, refusal('403'), 'not_authorised'],
    [401, '', 'not_authorised'],
    [400, refusal('404'), 'wrong_status'],
    [400, refusal('410'), 'wrong_status'],
    [400, refusal(405), 'wrong_status'],
    [400, { meta: null }, 'wrong_status'],
    [400, 'no JSON', 'wrong_status'],
    [500, refusal('405'), 'wrong_status'],
    [302, '', 'wrong_status'],
    [200, 'no JSON', 'not_json'],
  ])('an unusable answer to a launch is a failure (HTTP status %i, case %#)', (status, body, reason) => {
    expect(parseLaunch(status, bytes(body))).toEqual({ kind: 'failed', reason });
  });

  it('the answer to a launch fails if it is not UTF-8', () => {
    const url = Buffer.concat([
      bytes('{"launch_url":"https://games.example/'),
      Buffer.from([0xff]),
      bytes('"}'),
    ]);
    expect(parseLaunch(200, url)).toEqual({ kind: 'failed', reason: 'not_json' });
  });
});
