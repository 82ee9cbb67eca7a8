// Requests to Slotegrator, and the parsing of the answers.
import { describe, expect, it } from 'vitest';
import type { Terms } from '../dialect.ts';
import {
  buildGamesRequest,
  buildInitRequest,
  buildLobbyRequest,
  buildSelfValidateRequest,
  parseGames,
  parseLaunch,
  parseLobby,
  parseSelfValidation,
  type SlotegratorLaunch,
} from './outward.ts';
import { signParams } from './signature.ts';

const terms: Terms = { currency: 'EUR', decimals: 2, currencies: {}, gamePrefix: 'sg-', profile: '' };
const merchant = { merchantId: 'merchant-1', merchantKey: 'merchant-key-1' };
const stamp = { timestamp: 1_763_430_000, nonce: 'e115cf0f66a645aca08225c9c1b20b80' };
const signer = { merchant, stamp };
const launch: SlotegratorLaunch = {
  mode: 'real',
  gameId: 'sg-abc',
  playerId: 'player-1',
  sessionId: 'gs_1',
  language: 'en-GB',
  platform: 'mobile',
  returnUrl: 'https://casino.example/lobby?a=1',
};
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const signatureOf = (params: Record<string, string>) =>
  signParams(merchant, new Map(Object.entries(params)), stamp)['x-sign'];

describe('a request to Slotegrator', () => {
  it('the signature of a request for a page of games covers the query', () => {
    const request = buildGamesRequest(2, signer);
    expect(request.method).toBe('GET');
    expect(request.path).toBe('/games?expand=tags%2Cparameters&page=2&per-page=50');
    expect(request.body).toHaveLength(0);
    expect(request.headers).toMatchObject({
      'x-merchant-id': 'merchant-1',
      'x-timestamp': '1763430000',
      'x-nonce': stamp.nonce,
      'x-sign': signatureOf({ expand: 'tags,parameters', page: '2', 'per-page': '50' }),
    });
  });

  it('a request for a lobby names the game without the prefix, and the provider’s currency code', () => {
    const request = buildLobbyRequest('sg-abc', { ...terms, currencies: { EURX: 'EUR' } }, signer);
    expect(request?.path).toBe('/games/lobby?game_uuid=abc&currency=EURX');
    expect(request?.headers['x-sign']).toBe(signatureOf({ game_uuid: 'abc', currency: 'EURX' }));
  });

  it('a request for a launch with money is a signed form with the player and the session', () => {
    const request = buildInitRequest({ ...launch, lobbyData: 'table 1' }, terms, signer);
    expect(request).toMatchObject({ method: 'POST', path: '/games/init' });
    const fields = {
      game_uuid: 'abc',
      device: 'mobile',
      return_url: 'https://casino.example/lobby?a=1',
      language: 'en',
      player_id: 'player-1',
      player_name: 'player-1',
      currency: 'EUR',
      session_id: 'gs_1',
      lobby_data: 'table 1',
    };
    expect(Object.fromEntries(new URLSearchParams(String(request?.body)))).toEqual(fields);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'x-sign': signatureOf(fields),
    });
  });

  it('a request for a demo names neither the player nor the session', () => {
    const request = buildInitRequest({ ...launch, mode: 'demo', platform: 'tv' }, terms, signer);
    expect(request?.path).toBe('/games/init-demo');
    expect(Object.fromEntries(new URLSearchParams(String(request?.body)))).toEqual({
      game_uuid: 'abc',
      device: 'desktop',
      return_url: 'https://casino.example/lobby?a=1',
      language: 'en',
    });
  });

  it.each([
    ['de', 'de'],
    ['PT_br', 'pt'],
    ['zh-Hans-CN', 'zh'],
    ['deu', null],
    ['', null],
    [undefined, null],
  ])('the language %j of a player is sent as the code %j', (language, code) => {
    const request = buildInitRequest({ ...launch, language }, terms, signer);
    expect(new URLSearchParams(String(request?.body)).get('language')).toBe(code);
  });

  it('a request for the self-validation has an empty form', () => {
    const request = buildSelfValidateRequest(signer);
    expect(request).toMatchObject({ method: 'POST', path: '/self-validate' });
    expect([request.body.length, request.headers['x-sign']]).toEqual([0, signatureOf({})]);
  });

  it.each(['abc', 'sg-', 'xx-abc'])(
    'no request is built for %s, which is not a game of the connection',
    (gameId) => {
      expect(buildInitRequest({ ...launch, gameId }, terms, signer)).toBeUndefined();
      expect(buildLobbyRequest(gameId, terms, signer)).toBeUndefined();
    },
  );
});

const game = {
  uuid: 'abc',
  name: 'Book of Dice',
  image: 'https://static.example/abc.jpg',
  type: 'Slots',
  provider: 'Studio',
  has_lobby: 0,
  is_mobile: 1,
  has_freespins: true,
  tags: [{ code: 'jackpots', label: 'Jackpots' }, 'x', {}],
  parameters: { rtp: 98.72, volatility: 'medium-high' },
};
const gamesOf = (...items: unknown[]) => {
  const answer = parseGames(200, bytes({ items }), terms);
  return answer.kind === 'listed' ? answer.games : [];
};

describe('a page of games', () => {
  it('each game of a page gets the connection’s prefix, and the number of pages is parsed', () => {
    expect(parseGames(200, bytes({ items: [game, game], _meta: { pageCount: 7 } }), terms)).toEqual({
      kind: 'listed',
      pageCount: 7,
      games: [
        {
          gameId: 'sg-abc',
          title: 'Book of Dice',
          category: 'Slots',
          provider: 'Studio',
          image: 'https://static.example/abc.jpg',
          payout: 98.72,
          volatility: 'medium-high',
          hasLobby: false,
          isMobile: true,
          hasFreespins: true,
          tags: ['jackpots'],
        },
      ],
    });
  });

  it('a game of a page is accepted with only a UUID and a name', () => {
    expect(
      gamesOf({ uuid: 'a', name: 'A', image: 'javascript:alert(1)', parameters: { rtp: 'x' } }),
    ).toMatchObject([
      { gameId: 'sg-a', title: 'A', image: undefined, payout: undefined, hasLobby: false, tags: [] },
    ]);
  });

  it.each(
    [
      null,
      'abc',
      [],
      { ...game, uuid: '' },
      { ...game, uuid: 7 },
      { ...game, uuid: 'x'.repeat(126) },
      { ...game, uuid: 'a\u0000' },
      { ...game, name: undefined },
    ].map((value) => [value]),
  )('an invalid game is left out of the list: %j', (bad) => {
    expect(gamesOf(bad, { ...game, uuid: 'next' })).toHaveLength(1);
  });

  it.each([undefined, null, { pageCount: 0 }, { pageCount: 'x' }, { pageCount: 1.5 }])(
    'a page counts as the only page if the number of pages is invalid: %j',
    (meta) => {
      expect(parseGames(200, bytes({ items: [], _meta: meta }), terms)).toMatchObject({ pageCount: 1 });
    },
  );

  it('a page with too many games is refused', () => {
    const items = Array.from({ length: 20_001 }, () => 0);
    expect(parseGames(200, bytes({ items }), terms)).toEqual({ kind: 'failed', reason: 'too_large' });
  });
});

describe('a lobby', () => {
  const table = { lobbyData: 'table-1', name: 'Baccarat', isOpen: true };

  it('a lobby is parsed from an answer with a list of tables, and from an answer with one table', () => {
    const expected = { kind: 'listed', tables: [table] };
    expect(parseLobby(200, bytes({ lobby: [table, {}, null, { lobbyData: 7 }] }))).toEqual(expected);
    expect(parseLobby(200, bytes({ lobby: table }))).toEqual(expected);
  });
});

describe('a launch', () => {
  it('a launch returns the URL of the game', () => {
    const url = 'https://games.example/play?token=1';
    expect(parseLaunch(200, bytes({ url }))).toEqual({ kind: 'launched', launchUrl: url });
  });

  it.each([undefined, 7, '', 'javascript:alert(1)', 'https://a@b.example', 'https://a b', '//x'])(
    'a launch with the URL %j is refused',
    (url) => {
      expect(parseLaunch(200, bytes({ url }))).toEqual({ kind: 'failed', reason: 'wrong_shape' });
    },
  );

  it.each([404, 422])(
    'an answer to a launch with the status %d means that the game is unavailable',
    (status) => {
      const body = bytes({ name: 'Not Found', message: 'x', code: 0, status });
      expect(parseLaunch(status, body)).toEqual({ kind: 'refused', code: 'game_unavailable' });
    },
  );
});

describe('a self-validation', () => {
  it('the parsed findings of a self-validation omit requests, responses and control characters', () => {
    const log = ['Use session with ID = 1', '{\n "url": "x"}', '"bet" request \u001b[31mfailed', 7];
    expect(parseSelfValidation(200, bytes({ success: false, log }))).toEqual({
      kind: 'validated',
      isSuccessful: false,
      findings: ['Use session with ID = 1', '"bet" request  [31mfailed'],
      log: ['Use session with ID = 1', '{\n "url": "x"}', '"bet" request  [31mfailed'],
    });
  });
});

describe.each([
  ['games', (status: number, body: Buffer) => parseGames(status, body, terms)],
  ['lobby', parseLobby],
  ['launch', parseLaunch],
  ['self-validation', parseSelfValidation],
] as const)('an unusable answer for the %s', (_, parse) => {
  it.each([
    [401, '{}', 'not_authorised'],
    [403, '', 'not_authorised'],
    [400, '{}', 'wrong_status'],
    [429, '{}', 'wrong_status'],
    [500, '', 'wrong_status'],
    [200, '', 'not_json'],
    [200, '<html>', 'not_json'],
    [200, '[]', 'wrong_shape'],
    [200, 'null', 'wrong_shape'],
    [200, '{}', 'wrong_shape'],
  ])('an answer with the status %d and the body %j fails as %s', (status, body, reason) => {
    expect(parse(status, bytes(body))).toEqual({ kind: 'failed', reason });
  });

  it('an answer with a body that is not UTF-8 fails as not_json', () => {
    expect(parse(200, Buffer.from([0x22, 0xff, 0x22]))).toEqual({ kind: 'failed', reason: 'not_json' });
  });
});
