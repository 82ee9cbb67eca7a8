// Parses the requests of Hub88 and Caleta to canonical calls.
import { isUtf8 } from 'node:buffer';
import { isPrintable, isPrintableWithin } from '@counterfoil/kit/http/text';
import { parseUnits } from '../amounts.ts';
import type { Leg, Parsed, ProviderRequest, SessionNeed, Terms } from '../dialect.ts';
import type { Status } from './errors.ts';
import { type Echo, findProviderCode, type Hub88Context, unitDecimals, writeAnswer } from './present.ts';

type Endpoint = 'info' | 'balance' | 'bet' | 'win' | 'rollback' | 'check';
type Fields = Readonly<Record<string, unknown>>;

interface Sent {
  readonly body: Fields;
  /** The text of the body. Numbers have all their digits here, unlike in `body`. */
  readonly text: string;
}

/** Thrown for an invalid request. `parseRequest` catches it and answers with the status. */
class InvalidRequest extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status);
    this.status = status;
  }
}

const endpoints = new Map<string, Endpoint>([
  ['/user/info', 'info'],
  ['/user/balance', 'balance'],
  ['/transaction/bet', 'bet'],
  ['/transaction/win', 'win'],
  ['/transaction/rollback', 'rollback'],
]);

/**
 * The paths of Hub88, Caleta's own paths for the same requests, and the path of Caleta's additional request,
 * which replaces a token.
 */
const caletaEndpoints = new Map<string, Endpoint>([
  ...endpoints,
  ['/wallet/check', 'check'],
  ['/wallet/balance', 'balance'],
  ['/wallet/bet', 'bet'],
  ['/wallet/win', 'win'],
  ['/wallet/rollback', 'rollback'],
]);

export function parseRequest(request: ProviderRequest, terms: Terms): Parsed<Hub88Context> {
  const sent = parseObject(request.body);
  if (!sent) return { invalid: writeAnswer('RS_ERROR_WRONG_SYNTAX', {}) };
  try {
    const known = terms.profile === 'caleta' ? caletaEndpoints : endpoints;
    const endpoint = request.method === 'POST' ? known.get(request.path) : undefined;
    if (endpoint === undefined) throw new InvalidRequest('RS_ERROR_WRONG_SYNTAX');
    return parseBody(endpoint, sent, terms);
  } catch (error) {
    const status = error instanceof InvalidRequest ? error.status : 'RS_ERROR_UNKNOWN';
    return { invalid: writeAnswer(status, findEcho(sent.body)) };
  }
}

/** Parses the body; undefined if the bytes are not a JSON object in UTF-8. */
function parseObject(bytes: Buffer): Sent | undefined {
  // All invalid bytes decode to the same character, so two different ids could become equal. Therefore
  // invalid UTF-8 is refused.
  if (!isUtf8(bytes)) return undefined;
  try {
    const text = bytes.toString('utf8');
    const body: unknown = JSON.parse(text);
    return isObject(body) ? { body, text } : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds the fields of an invalid request that its answer can repeat. */
function findEcho({ user, request_uuid: requestUuid }: Fields): Echo {
  return {
    user: isId(user) ? user : undefined,
    requestUuid: isId(requestUuid) ? requestUuid : undefined,
  };
}

/** Finds the fields that the answer repeats, for a request that failed before it was parsed. */
export const findEchoIn = (bytes: Buffer): Echo => findEcho(parseObject(bytes)?.body ?? {});

const noSession: SessionNeed = { token: undefined, needs: 'nothing' };

function parseBody(endpoint: Endpoint, sent: Sent, terms: Terms): Parsed<Hub88Context> {
  const { body } = sent;
  if (endpoint === 'check') {
    const token = parseId(body.token);
    return { call: { kind: 'replace_session', token }, context: { currency: terms.currency } };
  }
  const player = parsePlayer(body, terms);
  const requestUuid = parseId(body.request_uuid);
  const context = {
    user: player.playerId || undefined,
    requestUuid,
    currency: parseCurrency(endpoint, body.currency, terms),
  };
  if (endpoint === 'info' || endpoint === 'balance') {
    const session = parseSession(endpoint, body.token);
    return { call: { kind: 'balance', ...player, session }, context };
  }
  const isRollback = endpoint === 'rollback';
  const session = endpoint === 'bet' ? parseSession(endpoint, body.token) : noSession;
  const leg = isRollback ? parseRollback(body) : parsePlay(endpoint, sent, terms);
  // A rollback finds its transaction by reference, so it needs neither game nor round.
  const game = isRollback ? parseOptionalId(body.game_code) : parseId(body.game_code);
  const gameId = game === undefined || terms.gamePrefix === '' ? game : parseId(terms.gamePrefix + game);
  const roundId = isRollback ? parseOptionalId(body.round) : parseId(body.round);
  const roundFinished = parseFlag(body.round_closed) && roundId !== undefined;
  const play = { kind: 'play', ...player, session, legs: [leg] } as const;
  return { call: { ...play, gameId, roundId, roundFinished, requestId: requestUuid }, context };
}

/**
 * In bets and wins, Caleta names the player in `supplier_user`. In rollbacks, Caleta names the player in
 * `user`. If both are absent, the token identifies the player, even in wins and rollbacks.
 */
function parsePlayer({ user, supplier_user: supplierUser, token }: Fields, { profile }: Terms) {
  if (profile !== 'caleta') return { playerId: parseId(user) };
  const named = user || supplierUser;
  return named ? { playerId: parseId(named) } : { playerId: '', playerOf: parseId(token) };
}

/** Hub88's documents list no token for `/user/info`, so a token is checked only if the request has one. */
function parseSession(endpoint: Endpoint, value: unknown): SessionNeed {
  const token = endpoint === 'info' ? parseOptionalId(value) : parseId(value);
  return token === undefined ? noSession : { token, needs: 'running' };
}

function parsePlay(type: 'bet' | 'win', { body, text }: Sent, { decimals }: Terms): Leg {
  const key = parseId(body.transaction_uuid);
  const amount = parseAmount(body.amount, text, decimals);
  const isFree = parseFlag(body.is_free);
  const purse = 'cash';
  // The provider pays the stake of a free bet, so the stake is 0 here. The win of a free bet is paid like any
  // other win.
  if (type === 'bet') return { type, key, transactionId: key, amount: isFree ? 0n : amount, purse };
  const betKey = parseId(body.reference_transaction_uuid);
  return { type, key, transactionId: key, amount, purse, betKey, needsOpenRound: false };
}

function parseRollback(body: Fields): Leg {
  const key = parseId(body.transaction_uuid);
  const originalKey = parseId(body.reference_transaction_uuid);
  return { type: 'rollback', key, transactionId: key, purse: 'cash', originalKey, undoes: 'any' };
}

function parseAmount(value: unknown, text: string, decimals: number): bigint {
  if (value === undefined) throw new InvalidRequest('RS_ERROR_WRONG_SYNTAX');
  const amount = Number.isSafeInteger(value) && isWrittenPlainly(value as number, text);
  const minor = amount ? parseUnits(BigInt(value as number), unitDecimals, decimals) : undefined;
  if (minor === undefined) throw new InvalidRequest('RS_ERROR_WRONG_TYPES');
  return minor;
}

const plainAmount = /"amount"\s*:\s*(\d{1,16})\s*[,}]/g;

/**
 * Whether the body has the amount in plain digits. `JSON.parse` reads 1e5 and 100000.00000000000000001 as
 * 100000 too, so the text is searched. The pattern may also match an `amount` inside `meta`. This is
 * harmless, because a match counts only if it equals the amount of the request.
 */
function isWrittenPlainly(amount: number, text: string): boolean {
  const digits = String(amount);
  for (const [, written] of text.matchAll(plainAmount)) if (written === digits) return true;
  return false;
}

/** Reads the provider's currency code. Bets and wins must have a code; other requests may have one. */
function parseCurrency(endpoint: Endpoint, value: unknown, terms: Terms): string {
  const { currencies, currency } = terms;
  const needsOne = endpoint === 'bet' || endpoint === 'win';
  if (!needsOne && (value === undefined || value === null)) return findProviderCode(terms);
  if (value === undefined) throw new InvalidRequest('RS_ERROR_WRONG_SYNTAX');
  if (typeof value !== 'string') throw new InvalidRequest('RS_ERROR_WRONG_TYPES');
  const own = Object.hasOwn(currencies, value) ? currencies[value] : value;
  if (own !== currency) throw new InvalidRequest('RS_ERROR_WRONG_CURRENCY');
  return value;
}

const maxIdLength = 128;

/**
 * Whether the value is an id of at most 128 characters. A text of up to 128 code units never has more than
 * 128 characters. So characters are counted only in longer texts.
 */
const isId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  (value.length <= maxIdLength ? isPrintable(value) : isPrintableWithin(value, { max: maxIdLength }));

function parseId(value: unknown): string {
  if (isId(value)) return value;
  const isTyped = value === undefined || typeof value === 'string';
  throw new InvalidRequest(isTyped ? 'RS_ERROR_WRONG_SYNTAX' : 'RS_ERROR_WRONG_TYPES');
}

const parseOptionalId = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : parseId(value);

function parseFlag(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new InvalidRequest('RS_ERROR_WRONG_TYPES');
  return value;
}
