// Signed requests to Hub88 or Caleta for games and launch URLs, and the parsing of their answers.
import { isUtf8 } from 'node:buffer';
import { isPrintable } from '@counterfoil/kit/http/text';
import type { Secrets, Terms } from '../dialect.ts';
import { isObject } from './parse.ts';
import { findProviderCode } from './present.ts';
import { findSignatureHeader, signBody } from './signature.ts';

export interface OutwardRequest {
  readonly method: 'POST';
  /** The path, relative to the provider's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request, over which the signature is made. */
  readonly body: Buffer;
}

export interface Hub88Launch {
  readonly mode: 'real' | 'demo';
  /** The id of the game, including the connection's prefix. */
  readonly gameId: string;
  readonly playerId: string;
  /** The id of the wallet's game session. The provider sends it back as `token`. */
  readonly sessionId: string;
  readonly platform?: string | undefined;
  readonly language?: string | undefined;
  /** The country as a code of ISO 3166-1 with two letters. */
  readonly country?: string | undefined;
  readonly ip?: string | undefined;
  readonly returnUrl?: string | undefined;
  readonly depositUrl?: string | undefined;
}

/** The differences between the two providers' games APIs. */
const variants = {
  hub88: { root: '/operator/generic/v2', demoCurrency: 'XXX' },
  caleta: { root: '/api', demoCurrency: 'FUN' },
} as const;

const findVariant = (profile: string | undefined) =>
  profile === 'caleta' ? variants.caleta : variants.hub88;

const wholeNumber = /^[1-9]\d{0,14}$/;

/** Hub88 needs the operator id as a number, and Caleta as a text. */
const toOperatorId = (id: string, profile: string | undefined): string | number =>
  profile !== 'caleta' && wholeNumber.test(id) ? Number(id) : id;

/** Builds a signed request; undefined without `operator_id` or without an RSA private key. */
function signOutward(
  secrets: Secrets,
  profile: string | undefined,
  path: string,
  content: object,
): OutwardRequest | undefined {
  const { operator_id: operatorId, private_key_pem: privateKeyPem } = secrets;
  if (!operatorId || !privateKeyPem) return undefined;
  const fields = { operator_id: toOperatorId(operatorId, profile), ...content };
  const body = Buffer.from(JSON.stringify(fields), 'utf8');
  const signature = signBody(privateKeyPem, body);
  if (signature === undefined) return undefined;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    [findSignatureHeader(profile)]: signature,
  };
  return { method: 'POST', path: findVariant(profile).root + path, headers, body };
}

/** Builds the request for the list of games; undefined if the connection lacks a credential for it. */
export const buildGameListRequest = (
  secrets: Secrets,
  { profile }: Pick<Terms, 'profile'>,
): OutwardRequest | undefined => signOutward(secrets, profile, '/game/list', {});

/**
 * Builds the request for a launch; undefined if the game does not belong to the connection, or a credential
 * is missing.
 */
export function buildGameUrlRequest(
  secrets: Secrets,
  launch: Hub88Launch,
  terms: Terms,
): OutwardRequest | undefined {
  const { mode, gameId, playerId, sessionId, country, ip, returnUrl, depositUrl } = launch;
  const { gamePrefix, profile } = terms;
  const game = gameId.slice(gamePrefix.length);
  if (!gameId.startsWith(gamePrefix) || game === '') return undefined;
  const isReal = mode === 'real';
  // JSON.stringify omits undefined fields.
  const content = {
    // Caleta requires a sub-partner. For an operator without brands, the sub-partner is the operator.
    sub_partner_id: secrets.sub_partner_id || (profile === 'caleta' ? secrets.operator_id : undefined),
    game_code: game,
    platform: launch.platform === 'mobile' ? 'GPL_MOBILE' : 'GPL_DESKTOP',
    lang: toLanguage(launch.language),
    country,
    ip,
    lobby_url: returnUrl,
    currency: isReal ? findProviderCode(terms) : findVariant(profile).demoCurrency,
    ...(isReal && { user: playerId, token: sessionId, deposit_url: depositUrl }),
  };
  return signOutward(secrets, profile, '/game/url', content);
}

/** The protocol has only codes of ISO 639-1, so `pt-BR` is sent as `pt`. The default is `en`. */
const toLanguage = (language: string | undefined): string =>
  /^[a-z]{2}(?![a-z])/i.exec(language ?? '')?.[0].toLowerCase() ?? 'en';

export interface Hub88Game {
  /** The id of the game, including the connection's prefix. */
  readonly gameId: string;
  readonly title: string;
  /** The studio that made the game. */
  readonly product: string | undefined;
  readonly category: string | undefined;
  readonly platforms: readonly ('desktop' | 'mobile')[];
  readonly thumbnail: string | undefined;
  readonly background: string | undefined;
  readonly hasFreebets: boolean | undefined;
  readonly hasDemo: boolean | undefined;
  /** Countries as codes of ISO 3166-1 with two letters. */
  readonly blockedCountries: readonly string[];
}

/** The reasons why an answer is unusable. The names are those of `FailureReason` in `upstream.ts`. */
type UnusableAnswer = 'not_authorised' | 'wrong_status' | 'not_json' | 'wrong_shape' | 'too_large';

export type GameListAnswer =
  | { readonly kind: 'listed'; readonly games: readonly Hub88Game[] }
  | { readonly kind: 'failed'; readonly reason: UnusableAnswer };

const maxGames = 20_000;

/**
 * Parses the list of games. Disabled games, games without a valid code or name, and repeated games are left
 * out.
 */
export function parseGameList(status: number, body: Buffer, { gamePrefix }: Terms): GameListAnswer {
  if (status !== 200) return { kind: 'failed', reason: toReason(status) };
  const answer = parseJson(body);
  if (answer === undefined) return { kind: 'failed', reason: 'not_json' };
  if (!Array.isArray(answer)) return { kind: 'failed', reason: 'wrong_shape' };
  if (answer.length > maxGames) return { kind: 'failed', reason: 'too_large' };
  const games = new Map<string, Hub88Game>();
  for (const each of answer) {
    const game = parseGame(each, gamePrefix);
    if (game && !games.has(game.gameId)) games.set(game.gameId, game);
  }
  return { kind: 'listed', games: [...games.values()] };
}

function parseGame(given: unknown, gamePrefix: string): Hub88Game | undefined {
  if (!isObject(given) || given.enabled === false) return undefined;
  const code = parseText(given.game_code, 128 - gamePrefix.length);
  const title = parseText(given.name, 255);
  if (code === undefined || title === undefined) return undefined;
  const { platforms, blocked_countries: blocked } = given;
  const isOn = (platform: string) => Array.isArray(platforms) && platforms.includes(platform);
  return {
    gameId: gamePrefix + code,
    title,
    product: parseText(given.product, 64),
    category: parseText(given.category, 64),
    platforms: [
      ...(isOn('GPL_DESKTOP') ? (['desktop'] as const) : []),
      ...(isOn('GPL_MOBILE') ? (['mobile'] as const) : []),
    ],
    thumbnail: parseWebAddress(given.url_thumb),
    background: parseWebAddress(given.url_background),
    hasFreebets: parseBoolean(given.freebet_support),
    hasDemo: parseBoolean(given.demo_game_support),
    blockedCountries: Array.isArray(blocked) ? blocked.filter(isCountry) : [],
  };
}

const countryForm = /^[A-Z]{2}$/;

const isCountry = (value: unknown): value is string => typeof value === 'string' && countryForm.test(value);

export type GameUrlAnswer =
  /** The launch URL. The caller must check that its host belongs to the provider. */
  | { readonly kind: 'launched'; readonly launchUrl: string }
  | { readonly kind: 'refused'; readonly code: 'game_unavailable' }
  | { readonly kind: 'failed'; readonly reason: UnusableAnswer };

export function parseGameUrl(status: number, body: Buffer): GameUrlAnswer {
  // The game, country or currency is not enabled for the operator (403) or does not exist (404).
  if (status === 403 || status === 404) return { kind: 'refused', code: 'game_unavailable' };
  if (status !== 200) return { kind: 'failed', reason: toReason(status) };
  const answer = parseJson(body);
  if (answer === undefined) return { kind: 'failed', reason: 'not_json' };
  const launchUrl = isObject(answer) ? parseWebAddress(answer.url) : undefined;
  return launchUrl === undefined
    ? { kind: 'failed', reason: 'wrong_shape' }
    : { kind: 'launched', launchUrl };
}

/**
 * Finds the reason why an answer with this status is unusable. The provider answers a wrong signature with
 * 401.
 */
const toReason = (status: number): UnusableAnswer =>
  status === 401 || status === 403 ? 'not_authorised' : 'wrong_status';

function parseJson(bytes: Buffer): unknown {
  try {
    return isUtf8(bytes) ? JSON.parse(bytes.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

const parseBoolean = (value: unknown) => (typeof value === 'boolean' ? value : undefined);

function parseText(value: unknown, max: number): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= max && isPrintable(value);
  return isText ? value : undefined;
}

/**
 * Matches a web address without spaces and without a user name. A user name could hide the host from a
 * reader.
 */
const webAddressForm = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i;

function parseWebAddress(value: unknown): string | undefined {
  const text = parseText(value, 2048);
  return text !== undefined && webAddressForm.test(text) && URL.canParse(text) ? text : undefined;
}
