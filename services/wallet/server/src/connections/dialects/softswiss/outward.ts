// Requests to a SoftSwiss provider for its games and for launch URLs, and the parsing of their answers.
import { isPrintable } from '@counterfoil/kit/http/text';
import type { Terms } from '../dialect.ts';
import { isObject, parseObject } from './parse.ts';
import { signatureHeader, signBody } from './signature.ts';

export interface OutwardRequest {
  readonly method: 'GET' | 'POST';
  /** The path, relative to the provider's URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, over which the signature is made; empty for GET requests. */
  readonly body: Buffer;
}

/** The operator's account at the provider. */
export interface Casino {
  readonly casinoId: string;
  readonly token: string;
}

export interface SoftswissLaunch {
  readonly mode: 'real' | 'demo';
  /** The id of the game, including the connection's prefix. */
  readonly gameId: string;
  readonly playerId: string;
  readonly sessionId: string;
  readonly language?: string | undefined;
  readonly platform?: string | undefined;
  readonly ip?: string | undefined;
  readonly returnUrl?: string | undefined;
  readonly depositUrl?: string | undefined;
}

function signOutward(token: string, method: 'GET' | 'POST', path: string, content: string): OutwardRequest {
  const body = Buffer.from(content, 'utf8');
  const type = method === 'POST' ? { 'content-type': 'application/json' } : {};
  const headers = { accept: 'application/json', ...type, [signatureHeader]: signBody(token, body) };
  return { method, path, headers, body };
}

export const buildGameListRequest = ({ casinoId, token }: Casino): OutwardRequest =>
  signOutward(token, 'GET', `/api/v1/operator/games?operator=${encodeURIComponent(casinoId)}`, '');

/** Builds the request for a launch; undefined if the game does not belong to the connection. */
export function buildLaunchRequest(
  { casinoId, token }: Casino,
  launch: SoftswissLaunch,
  terms: Terms,
): OutwardRequest | undefined {
  const { mode, gameId, playerId, sessionId, platform, ip, returnUrl, depositUrl } = launch;
  const game = gameId.slice(terms.gamePrefix.length);
  if (!gameId.startsWith(terms.gamePrefix) || game === '') return undefined;
  const currency = findProviderCode(terms);
  // JSON.stringify omits undefined fields.
  const content = {
    casino_id: casinoId,
    game,
    locale: toLocale(launch.language),
    ip,
    client_type: platform === 'mobile' || platform === 'desktop' ? platform : undefined,
    urls: { return_url: returnUrl, deposit_url: mode === 'real' ? depositUrl : undefined },
    ...(mode === 'real' ? { account: { id: playerId, currency }, session_id: sessionId } : { currency }),
  };
  return signOutward(token, 'POST', `/api/v1/softswiss/launcher/${mode}`, JSON.stringify(content));
}

/** Finds the provider's code for the package's currency. */
function findProviderCode({ currencies, currency }: Terms): string {
  const listed = Object.entries(currencies).find(([, own]) => own === currency);
  return listed ? listed[0] : currency;
}

const localeForm = /^(?:[a-z]{2}(?:[-_][a-z]{2})?|en-soc)$/i;

/**
 * The protocol has tags such as `en`, `en-gb` and `en-soc`. If a tag has any other form, such as `zh-Hans`,
 * only its language is sent.
 */
function toLocale(language: string | undefined): string | undefined {
  if (language === undefined || localeForm.test(language)) return language;
  return /^[a-z]{2}(?=[-_])/i.exec(language)?.[0];
}

export interface SoftswissGame {
  /** The id of the game, including the connection's prefix. */
  readonly gameId: string;
  readonly title: string;
  readonly category: string | undefined;
  /** The share of stakes that the game returns to players, in per cent. */
  readonly payout: number | undefined;
  readonly volatility: string | undefined;
  readonly hasFreespins: boolean | undefined;
  readonly hasDemo: boolean | undefined;
  readonly thumbnail: string | undefined;
  /** The URLs of the images, by format, such as `portrait_3x4`. */
  readonly images: Readonly<Record<string, string>>;
  /** The currencies of the game, as the provider's codes. */
  readonly currencies: readonly string[];
}

/** The reasons why an answer is unusable. The names are those of `FailureReason` in `upstream.ts`. */
type UnusableAnswer = 'not_authorised' | 'wrong_status' | 'not_json' | 'wrong_shape' | 'too_large';

export type GameListAnswer =
  | { readonly kind: 'listed'; readonly games: readonly SoftswissGame[] }
  | { readonly kind: 'failed'; readonly reason: UnusableAnswer };

const maxGames = 20_000;

/**
 * Parses the list of games in the calling thread. Games without a valid identifier or title, and repeated
 * games, are left out.
 */
export function parseGameList(status: number, body: Buffer, { gamePrefix }: Terms): GameListAnswer {
  if (status !== 200) return { kind: 'failed', reason: toReason(status, undefined) };
  const answer = parseObject(body);
  if (!answer) return { kind: 'failed', reason: 'not_json' };
  if (!Array.isArray(answer.games)) return { kind: 'failed', reason: 'wrong_shape' };
  if (answer.games.length > maxGames) return { kind: 'failed', reason: 'too_large' };
  const games = new Map<string, SoftswissGame>();
  for (const each of answer.games) {
    const game = parseGame(each, gamePrefix);
    if (game && !games.has(game.gameId)) games.set(game.gameId, game);
  }
  return { kind: 'listed', games: [...games.values()] };
}

function parseGame(given: unknown, gamePrefix: string): SoftswissGame | undefined {
  if (!isObject(given)) return undefined;
  const identifier = parseText(given.identifier, 128 - gamePrefix.length);
  const title = parseText(given.title, 255);
  if (identifier === undefined || title === undefined) return undefined;
  const { payout, currencies } = given;
  return {
    gameId: gamePrefix + identifier,
    title,
    category: parseText(given.category, 64),
    payout: typeof payout === 'number' && payout > 0 && payout <= 100 ? payout : undefined,
    volatility: parseText(given.volatility_rating, 32),
    hasFreespins: parseBoolean(given.has_freespins),
    hasDemo: parseBoolean(given.demo_available),
    thumbnail: parseWebAddress(given.thumbnail),
    images: parseImages(given.images),
    currencies: Array.isArray(currencies) ? currencies.filter((code) => parseText(code, 32)) : [],
  };
}

const imageFormat = /^[a-z0-9][a-z0-9_-]{0,31}$/i;
const maxImages = 16;

function parseImages(given: unknown): Record<string, string> {
  const images: [string, string][] = [];
  for (const each of Array.isArray(given) ? given.slice(0, maxImages) : []) {
    if (!isObject(each) || typeof each.type !== 'string' || !imageFormat.test(each.type)) continue;
    const url = parseWebAddress(each.url);
    if (url !== undefined) images.push([each.type, url]);
  }
  return Object.fromEntries(images);
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

export type SoftswissLaunchAnswer =
  /** The launch URL. The caller must check that its host belongs to the provider. */
  | { readonly kind: 'launched'; readonly launchUrl: string }
  | { readonly kind: 'refused'; readonly code: 'game_unavailable' }
  | { readonly kind: 'failed'; readonly reason: UnusableAnswer };

/**
 * Codes that refuse the game: forbidden, wrong country, wrong currency, not offered to this casino, live
 * table closed.
 */
const gameRefusals: readonly unknown[] = ['107', '153', '154', '405', '700'];

export function parseLaunch(status: number, body: Buffer): SoftswissLaunchAnswer {
  const answer = parseObject(body);
  if (status === 200) {
    if (!answer) return { kind: 'failed', reason: 'not_json' };
    const launchUrl = parseWebAddress(answer.launch_url);
    return launchUrl === undefined
      ? { kind: 'failed', reason: 'wrong_shape' }
      : { kind: 'launched', launchUrl };
  }
  const apiCode = isObject(answer?.meta) ? answer.meta.api_code : undefined;
  if (status === 400 && gameRefusals.includes(apiCode)) return { kind: 'refused', code: 'game_unavailable' };
  return { kind: 'failed', reason: toReason(status, apiCode) };
}

/**
 * A launcher answers a wrong signature with HTTP 403. Other servers of the protocol answer a wrong signature
 * with HTTP 400 and the code 403.
 */
const toReason = (status: number, apiCode: unknown): UnusableAnswer =>
  status === 401 || status === 403 || (status === 400 && apiCode === '403')
    ? 'not_authorised'
    : 'wrong_status';
