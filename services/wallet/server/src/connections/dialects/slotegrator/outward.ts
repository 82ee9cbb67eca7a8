// Signed requests to Slotegrator for games, lobbies, launch URLs and the self-validation, and their answers.
import { isUtf8 } from 'node:buffer';
import { isPrintable, isPrintableWithin } from '@counterfoil/kit/http/text';
import type { Terms } from '../dialect.ts';
import { flatten, type Params } from './params.ts';
import { encodeForm, type Merchant, type Stamp, signParams } from './signature.ts';

export interface OutwardRequest {
  readonly method: 'GET' | 'POST';
  /** The path with the query, relative to the provider's URL. */
  readonly path: string;
  /** The signed headers. The provider accepts the signature for 30 seconds. */
  readonly headers: Readonly<Record<string, string>>;
  /** The form; empty for GET requests. */
  readonly body: Buffer;
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function signOutward(
  method: 'GET' | 'POST',
  path: string,
  fields: Readonly<Record<string, string | number | undefined>>,
  { merchant, stamp }: Signer,
): OutwardRequest {
  const params: Params = flatten(fields) ?? new Map();
  const form = encodeForm(params);
  const headers = { accept: 'application/json', ...signParams(merchant, params, stamp) };
  return method === 'GET'
    ? { method, path: form === '' ? path : `${path}?${form}`, headers, body: Buffer.alloc(0) }
    : { method, path, headers: { ...headers, ...formType }, body: Buffer.from(form) };
}

export interface Signer {
  readonly merchant: Merchant;
  readonly stamp: Stamp;
}

/**
 * Builds the request for a page of games. In production a page has at most 50 games. The first page has the
 * number 1.
 */
export const buildGamesRequest = (page: number, signer: Signer): OutwardRequest =>
  signOutward('GET', '/games', { expand: 'tags,parameters', page, 'per-page': 50 }, signer);

/**
 * Builds the request for the tables of a game with a lobby; undefined if the game does not belong to the
 * connection.
 */
export function buildLobbyRequest(gameId: string, terms: Terms, signer: Signer): OutwardRequest | undefined {
  const uuid = findUuid(gameId, terms);
  if (uuid === undefined) return undefined;
  return signOutward('GET', '/games/lobby', { game_uuid: uuid, currency: findProviderCode(terms) }, signer);
}

export interface SlotegratorLaunch {
  readonly mode: 'real' | 'demo';
  /** The id of the game, including the connection's prefix. */
  readonly gameId: string;
  readonly playerId: string;
  readonly sessionId: string;
  readonly language?: string | undefined;
  readonly platform?: string | undefined;
  readonly returnUrl?: string | undefined;
  /** The data of the table that the player chose in the lobby. */
  readonly lobbyData?: string | undefined;
}

/** Builds the request for a launch; undefined if the game does not belong to the connection. */
export function buildInitRequest(
  launch: SlotegratorLaunch,
  terms: Terms,
  signer: Signer,
): OutwardRequest | undefined {
  const uuid = findUuid(launch.gameId, terms);
  if (uuid === undefined) return undefined;
  const common = {
    game_uuid: uuid,
    device: launch.platform === 'mobile' ? 'mobile' : 'desktop',
    return_url: launch.returnUrl,
    // The protocol has only codes of ISO 639-1, which have no region. So only the first two letters are sent.
    language: /^[a-z]{2}(?![a-z])/i.exec(launch.language ?? '')?.[0].toLowerCase(),
  };
  if (launch.mode === 'demo') return signOutward('POST', '/games/init-demo', common, signer);
  const player = {
    player_id: launch.playerId,
    // The protocol requires a name, and some games show it. The player id is sent as the name, because the
    // real name of the player must not leave the wallet.
    player_name: launch.playerId,
    currency: findProviderCode(terms),
    session_id: launch.sessionId,
    lobby_data: launch.lobbyData,
  };
  return signOutward('POST', '/games/init', { ...common, ...player }, signer);
}

/**
 * Builds the request for the self-validation. After this request, the provider calls the wallet in the name
 * of a player: the player of the newest launch in the last 15 minutes.
 */
export const buildSelfValidateRequest = (signer: Signer): OutwardRequest =>
  signOutward('POST', '/self-validate', {}, signer);

function findUuid(gameId: string, { gamePrefix }: Terms): string | undefined {
  const uuid = gameId.slice(gamePrefix.length);
  return gameId.startsWith(gamePrefix) && uuid !== '' ? uuid : undefined;
}

/** Finds the provider's code for the package's currency. */
function findProviderCode({ currencies, currency }: Terms): string {
  const listed = Object.entries(currencies).find(([, own]) => own === currency);
  return listed ? listed[0] : currency;
}

/** The reasons why an answer is unusable. The names are those of `FailureReason` in `upstream.ts`. */
type UnusableAnswer = 'not_authorised' | 'wrong_status' | 'not_json' | 'wrong_shape' | 'too_large';

export interface Failed {
  readonly kind: 'failed';
  readonly reason: UnusableAnswer;
}

const failed = (reason: UnusableAnswer): Failed => ({ kind: 'failed', reason });

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the JSON object of an answer, or the reason why the answer cannot be used. */
function readAnswer(status: number, body: Buffer): { readonly answer: Fields } | Failed {
  if (status === 401 || status === 403) return failed('not_authorised');
  if (status !== 200 && status !== 201) return failed('wrong_status');
  if (!isUtf8(body)) return failed('not_json');
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'));
    return isObject(answer) ? { answer } : failed('wrong_shape');
  } catch {
    return failed('not_json');
  }
}

export interface SlotegratorGame {
  /** The id of the game, including the connection's prefix. */
  readonly gameId: string;
  readonly title: string;
  readonly category: string | undefined;
  readonly provider: string | undefined;
  /**
   * The URL of the image. The provider forbids the use of this URL on a public page, so the image must be
   * copied.
   */
  readonly image: string | undefined;
  /** The share of stakes that the game returns to players, in per cent. */
  readonly payout: number | undefined;
  readonly volatility: string | undefined;
  readonly hasLobby: boolean;
  readonly isMobile: boolean;
  readonly hasFreespins: boolean;
  readonly tags: readonly string[];
}

export type GamesAnswer =
  | { readonly kind: 'listed'; readonly games: readonly SlotegratorGame[]; readonly pageCount: number }
  | Failed;

const maxGamesPerPage = 20_000;

/** Parses a page of games. Games without a valid UUID or name, and repeated games, are left out. */
export function parseGames(status: number, body: Buffer, { gamePrefix }: Terms): GamesAnswer {
  const read = readAnswer(status, body);
  if ('kind' in read) return read;
  const { items, _meta: meta } = read.answer;
  if (!Array.isArray(items)) return failed('wrong_shape');
  if (items.length > maxGamesPerPage) return failed('too_large');
  const games = new Map<string, SlotegratorGame>();
  for (const item of items) {
    const game = parseGame(item, gamePrefix);
    if (game && !games.has(game.gameId)) games.set(game.gameId, game);
  }
  const pageCount = isObject(meta) ? Number(meta.pageCount) : 1;
  const isCount = Number.isSafeInteger(pageCount) && pageCount > 0;
  return { kind: 'listed', games: [...games.values()], pageCount: isCount ? pageCount : 1 };
}

function parseGame(item: unknown, gamePrefix: string): SlotegratorGame | undefined {
  if (!isObject(item)) return undefined;
  const uuid = parseText(item.uuid, 128 - gamePrefix.length);
  const title = parseText(item.name, 255);
  if (uuid === undefined || title === undefined) return undefined;
  const parameters = isObject(item.parameters) ? item.parameters : {};
  const rtp = Number(parameters.rtp);
  const tags = Array.isArray(item.tags) ? item.tags.slice(0, 64) : [];
  return {
    gameId: gamePrefix + uuid,
    title,
    category: parseText(item.type, 64),
    provider: parseText(item.provider, 64),
    image: parseWebAddress(item.image),
    payout: rtp > 0 && rtp <= 100 ? rtp : undefined,
    volatility: parseText(parameters.volatility, 32),
    hasLobby: parseFlag(item.has_lobby),
    isMobile: parseFlag(item.is_mobile),
    hasFreespins: parseFlag(item.has_freespins),
    tags: tags.flatMap((tag) => (isObject(tag) ? (parseText(tag.code, 64) ?? []) : [])),
  };
}

/** Reads a flag. The documents say 1 and 0, but the staging server has also sent true and false. */
const parseFlag = (value: unknown): boolean => value === 1 || value === true || value === '1';

export interface LobbyTable {
  readonly lobbyData: string;
  readonly name: string;
  readonly isOpen: boolean;
}

export type LobbyAnswer = { readonly kind: 'listed'; readonly tables: readonly LobbyTable[] } | Failed;

/** Reads the tables of a lobby. The documents show one table as an object, but servers send a list. */
export function parseLobby(status: number, body: Buffer): LobbyAnswer {
  const read = readAnswer(status, body);
  if ('kind' in read) return read;
  const { lobby } = read.answer;
  if (!isObject(lobby) && !Array.isArray(lobby)) return failed('wrong_shape');
  const tables = [lobby].flat().flatMap((table: unknown): LobbyTable[] => {
    const lobbyData = isObject(table) ? parseText(table.lobbyData, 4096) : undefined;
    if (!isObject(table) || lobbyData === undefined) return [];
    return [{ lobbyData, name: parseText(table.name, 255) ?? '', isOpen: parseFlag(table.isOpen) }];
  });
  return { kind: 'listed', tables };
}

export type LaunchAnswer =
  /** The launch URL. The caller must check that its host belongs to the provider. */
  | { readonly kind: 'launched'; readonly launchUrl: string }
  | { readonly kind: 'refused'; readonly code: 'game_unavailable' }
  | Failed;

/**
 * Parses the answer of `/games/init` or `/games/init-demo`. The status is 404 for an unknown game, and 422
 * for a game without a demo or without the currency.
 */
export function parseLaunch(status: number, body: Buffer): LaunchAnswer {
  if (status === 404 || status === 422) return { kind: 'refused', code: 'game_unavailable' };
  const read = readAnswer(status, body);
  if ('kind' in read) return read;
  const launchUrl = parseWebAddress(read.answer.url);
  return launchUrl === undefined ? failed('wrong_shape') : { kind: 'launched', launchUrl };
}

export type SelfValidationAnswer =
  | {
      readonly kind: 'validated';
      readonly isSuccessful: boolean;
      /** The findings of the provider's test, in order. */
      readonly findings: readonly string[];
      /** The whole log of the provider's test: the findings, and every request and response. */
      readonly log: readonly string[];
    }
  | Failed;

const controls = /[^\P{Cc}\n]/gu;

export function parseSelfValidation(status: number, body: Buffer): SelfValidationAnswer {
  const read = readAnswer(status, body);
  if ('kind' in read) return read;
  const { success, log: given } = read.answer;
  if (typeof success !== 'boolean' || !Array.isArray(given)) return failed('wrong_shape');
  // Control characters are removed, because they could change the text that a terminal shows.
  const log = given.flatMap((line) => (typeof line === 'string' ? line.replace(controls, ' ') : []));
  // Requests and responses are logged as JSON. All other lines of the log are findings.
  const findings = log.filter((line) => !/^\s*[{[]/.test(line));
  return { kind: 'validated', isSuccessful: success, findings, log };
}

function parseText(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const isValid = value.length <= max ? isPrintable(value) : isPrintableWithin(value, { max });
  return isValid ? value : undefined;
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
