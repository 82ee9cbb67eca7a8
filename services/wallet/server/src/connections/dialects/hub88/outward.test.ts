// Requests to the provider for games and launch URLs, and the answers to them.
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Terms } from '../dialect.ts';
import {
  buildGameListRequest,
  buildGameUrlRequest,
  type Hub88Launch,
  type OutwardRequest,
  parseGameList,
  parseGameUrl,
} from './outward.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const secrets = { private_key_pem: privateKey, operator_id: '17' };
const hub: Terms = { currency: 'EUR', decimals: 5, currencies: {}, gamePrefix: '', profile: '' };
const caleta: Terms = { ...hub, profile: 'caleta' };
const launch: Hub88Launch = {
  mode: 'real',
  gameId: 'clt_dragonrising',
  playerId: 'player-1',
  sessionId: 'gs_1',
  platform: 'mobile',
  language: 'pt-BR',
  country: 'BR',
  ip: '203.0.113.7',
  returnUrl: 'https://casino.example/lobby',
  depositUrl: 'https://casino.example/deposit',
};

const contentOf = (request: OutwardRequest | undefined) => JSON.parse(String(request?.body));
const isSigned = (request: OutwardRequest | undefined, header: string) =>
  verify(
    'sha256',
    request?.body ?? Buffer.alloc(0),
    publicKey,
    Buffer.from(request?.headers[header] ?? '', 'base64'),
  );

describe('a request for games', () => {
  it('a request for games has a signature over its bytes, and the operator id as a number', () => {
    const request = buildGameListRequest(secrets, hub);
    expect(request).toMatchObject({ method: 'POST', path: '/operator/generic/v2/game/list' });
    expect(String(request?.body)).toBe('{"operator_id":17}');
    expect(isSigned(request, 'x-hub88-signature')).toBe(true);
  });

  it('a request to Caleta has Caleta’s path and header, and the operator id as a text', () => {
    const request = buildGameListRequest(secrets, caleta);
    expect(request?.path).toBe('/api/game/list');
    expect(String(request?.body)).toBe('{"operator_id":"17"}');
    expect(isSigned(request, 'x-auth-signature')).toBe(true);
  });

  it.each([
    ['an operator', { private_key_pem: privateKey }],
    ['a key', { operator_id: '17' }],
    ['a valid key', { operator_id: '17', private_key_pem: 'no key' }],
  ])('requests for games and launch URLs cannot be built without %s', (_name, given) => {
    expect(buildGameListRequest(given, hub)).toBeUndefined();
    expect(buildGameUrlRequest(given, launch, hub)).toBeUndefined();
  });
});

describe('a request for a launch URL', () => {
  it('a request for a launch URL is signed, and names player, session, game and currency', () => {
    const request = buildGameUrlRequest(secrets, launch, hub);
    expect(request?.path).toBe('/operator/generic/v2/game/url');
    expect(isSigned(request, 'x-hub88-signature')).toBe(true);
    expect(contentOf(request)).toEqual({
      operator_id: 17,
      user: 'player-1',
      token: 'gs_1',
      game_code: 'clt_dragonrising',
      platform: 'GPL_MOBILE',
      lang: 'pt',
      country: 'BR',
      ip: '203.0.113.7',
      lobby_url: 'https://casino.example/lobby',
      deposit_url: 'https://casino.example/deposit',
      currency: 'EUR',
    });
  });

  it('a request for a demo has the currency XXX and no player', () => {
    const content = contentOf(buildGameUrlRequest(secrets, { ...launch, mode: 'demo' }, hub));
    expect(content.currency).toBe('XXX');
    expect(content).not.toHaveProperty('user');
    expect(content).not.toHaveProperty('token');
    expect(content).not.toHaveProperty('deposit_url');
  });

  it('a request to Caleta has a sub-partner, and the currency FUN for a demo', () => {
    const request = buildGameUrlRequest(secrets, { ...launch, mode: 'demo' }, caleta);
    expect(request?.path).toBe('/api/game/url');
    expect(contentOf(request)).toMatchObject({ operator_id: '17', sub_partner_id: '17', currency: 'FUN' });
    const branded = buildGameUrlRequest({ ...secrets, sub_partner_id: 'brand' }, launch, caleta);
    expect(contentOf(branded).sub_partner_id).toBe('brand');
  });

  it('a request for a launch URL has the provider’s codes, and needs a game id with the prefix', () => {
    const terms = { ...hub, gamePrefix: 'hub-', currencies: { EURX: 'EUR' } };
    const content = contentOf(buildGameUrlRequest(secrets, { ...launch, gameId: 'hub-dice' }, terms));
    expect(content).toMatchObject({ game_code: 'dice', currency: 'EURX' });
    expect(buildGameUrlRequest(secrets, { ...launch, gameId: 'dice' }, terms)).toBeUndefined();
    expect(buildGameUrlRequest(secrets, { ...launch, gameId: 'hub-' }, terms)).toBeUndefined();
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['EN-gb', 'en'],
    ['zh_Hans', 'zh'],
    ['fil', 'en'],
  ])('a request for a player with the language %j has the language code %s', (language, lang) => {
    expect(contentOf(buildGameUrlRequest(secrets, { ...launch, language }, hub)).lang).toBe(lang);
  });

  it('a request for a launch URL is for the desktop unless the player has a mobile device', () => {
    const content = contentOf(buildGameUrlRequest(secrets, { ...launch, platform: undefined }, hub));
    expect(content.platform).toBe('GPL_DESKTOP');
  });
});

const answer = (value: unknown) => Buffer.from(JSON.stringify(value));
const game = {
  url_thumb: 'https://img.example/t.png',
  url_background: 'https://img.example/b.png',
  product: 'Caleta',
  platforms: ['GPL_DESKTOP', 'GPL_MOBILE', 'GPL_TV'],
  name: 'Torch of Fire',
  game_id: 1,
  game_code: 'cg_torchoffire',
  enabled: true,
  category: 'Video Slots',
  blocked_countries: ['PL', 'BG', 'x', 7],
  freebet_support: true,
  demo_game_support: false,
};

describe('a list of games', () => {
  it('a list of games is parsed, and each game gets the prefix of the connection', () => {
    expect(parseGameList(200, answer([game]), { ...hub, gamePrefix: 'hub-' })).toEqual({
      kind: 'listed',
      games: [
        {
          gameId: 'hub-cg_torchoffire',
          title: 'Torch of Fire',
          product: 'Caleta',
          category: 'Video Slots',
          platforms: ['desktop', 'mobile'],
          thumbnail: 'https://img.example/t.png',
          background: 'https://img.example/b.png',
          hasFreebets: true,
          hasDemo: false,
          blockedCountries: ['PL', 'BG'],
        },
      ],
    });
  });

  it('a parsed list has no disabled, nameless or repeated games, and no values of wrong types', () => {
    const bare = { game_code: 'bare', name: 'Bare', url_thumb: 'javascript:alert(1)', platforms: 'all' };
    const sent = [
      { ...game, enabled: false },
      { ...game, game_code: 7 },
      { ...game, name: '' },
      { ...game, game_code: 'x'.repeat(129) },
      null,
      'game',
      bare,
      { ...bare, name: 'Again' },
    ];
    const parsed = parseGameList(200, answer(sent), hub);
    expect(parsed).toMatchObject({
      kind: 'listed',
      games: [{ gameId: 'bare', title: 'Bare', thumbnail: undefined, platforms: [], blockedCountries: [] }],
    });
    expect(parsed.kind === 'listed' && parsed.games.length).toBe(1);
  });

  it.each([
    [401, answer({ error: 'signature' }), 'not_authorised'],
    [403, answer({}), 'not_authorised'],
    [404, answer({ error: 'operator' }), 'wrong_status'],
    [500, Buffer.alloc(0), 'wrong_status'],
    [200, Buffer.from('<html>'), 'not_json'],
    [200, Buffer.from([0xff]), 'not_json'],
    [200, answer({ games: [] }), 'wrong_shape'],
    [200, answer(null), 'wrong_shape'],
    [200, answer(Array(20_001).fill(1)), 'too_large'],
  ])('a list that arrives with HTTP %i and an unusable body is a failure', (status, body, reason) => {
    expect(parseGameList(status, body, hub)).toEqual({ kind: 'failed', reason });
  });
});

describe('a launch URL', () => {
  it('a launch URL is accepted if it is an https URL', () => {
    const launchUrl = 'https://play.example/game?token=1';
    expect(parseGameUrl(200, answer({ url: launchUrl }))).toEqual({ kind: 'launched', launchUrl });
  });

  it.each(['javascript:alert(1)', '//play.example', 'https://user@play.example/', 'https://', 7, null, ''])(
    'the launch URL %j is refused',
    (url) => {
      expect(parseGameUrl(200, answer({ url }))).toEqual({ kind: 'failed', reason: 'wrong_shape' });
    },
  );

  it('an answer with HTTP 403 or 404 instead of a launch URL means that the game is unavailable', () => {
    for (const status of [403, 404]) {
      expect(parseGameUrl(status, answer({ error: 'game' }))).toEqual({
        kind: 'refused',
        code: 'game_unavailable',
      });
    }
  });

  it.each([
    [401, answer({}), 'not_authorised'],
    [500, answer({}), 'wrong_status'],
    [200, Buffer.from('x'), 'not_json'],
    [200, answer([]), 'wrong_shape'],
  ])('a launch URL that arrives with HTTP %i and an unusable body is a failure', (status, body, reason) => {
    expect(parseGameUrl(status, body)).toEqual({ kind: 'failed', reason });
  });
});
