// Parses the four requests of the SoftSwiss wallet protocol to canonical calls.
import { isUtf8 } from 'node:buffer';
import { isPrintable } from '@counterfoil/kit/http/text';
import { parseDecimal } from '../amounts.ts';
import type { Leg, Parsed, ProviderRequest, ProviderResponse, SessionNeed, Terms } from '../dialect.ts';
import { currencyNotAllowed, internalError, notFound, writeError, writeValidationError } from './errors.ts';

type Endpoint = 'balance' | 'betwin' | 'rollback' | 'finish';

/** The parts of a request that its answer repeats. */
export interface SoftswissContext {
  readonly endpoint: Endpoint;
  /** The `id_provider` of each transaction, in order. */
  readonly ids: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Thrown for an invalid request. `parseRequest` catches it and answers with the response. */
class InvalidRequest extends Error {
  readonly response: ProviderResponse;

  constructor(response: ProviderResponse) {
    super('invalid request');
    this.response = response;
  }
}

const invalid = (message: string) => new InvalidRequest(writeValidationError(message));

const endpoints = new Map<string, Endpoint>([
  ['/balance', 'balance'],
  ['/betwin', 'betwin'],
  ['/rollback', 'rollback'],
  ['/finish', 'finish'],
]);

export function parseRequest(request: ProviderRequest, terms: Terms): Parsed<SoftswissContext> {
  const endpoint = endpoints.get(request.path);
  if (endpoint === undefined) return { invalid: writeError(notFound) };
  if (request.method !== 'POST') return { invalid: writeValidationError('method: must be POST') };
  try {
    const body = parseObject(request.body);
    if (!body) throw invalid('body: must be a JSON object in UTF-8');
    return parseBody(endpoint, body, terms);
  } catch (error) {
    return { invalid: error instanceof InvalidRequest ? error.response : writeError(internalError) };
  }
}

/** Parses a body; undefined if the bytes are not a JSON object in UTF-8. */
export function parseObject(bytes: Buffer): Fields | undefined {
  // Invalid UTF-8 is refused: all invalid bytes decode to the same character, so two ids could become equal.
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseBody(endpoint: Endpoint, body: Fields, terms: Terms): Parsed<SoftswissContext> {
  const playerId = parseId(body.account_id, 'account_id');
  checkCurrency(body.currency, terms);
  // `/finish` has no game.
  const gameId = endpoint === 'finish' ? undefined : parseGameId(body.game_id, terms);
  const session = parseSession(body.session_id);
  if (endpoint === 'balance') {
    return { call: { kind: 'balance', playerId, session }, context: { endpoint, ids: [] } };
  }
  const roundField = endpoint === 'rollback' ? 'round_id_provider' : 'round_id';
  const roundId = parseId(body[roundField], roundField);
  if (endpoint === 'finish') {
    const legs = [{ type: 'end_round' }] as const;
    const call = { kind: 'play', playerId, session, legs, gameId, roundId, roundFinished: true } as const;
    return { call, context: { endpoint, ids: [] } };
  }
  const roundFinished = parseFlag(body.finished, 'finished');
  const ids: string[] = [];
  const legs: Leg[] = [];
  for (const [index, transaction] of parseTransactions(body.transactions).entries()) {
    const at = `transactions[${index}]`;
    if (!isObject(transaction)) throw invalid(`${at}: must be an object`);
    const id = parseId(transaction.id_provider, `${at}.id_provider`);
    const parseLeg = endpoint === 'rollback' ? parseRollback : parsePlay;
    ids.push(id);
    legs.push(parseLeg(transaction, { id, at, terms }));
  }
  const call = { kind: 'play', playerId, session, legs, gameId, roundId, roundFinished } as const;
  return { call, context: { endpoint, ids } };
}

/**
 * The maximum number of legs. A body of 64 KiB has room for about a thousand legs. Processing all of them
 * would delay the calls of other players.
 */
const maxTransactions = 100;

function parseTransactions(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid('transactions: must have at least one item');
  if (value.length > maxTransactions) {
    throw invalid(`transactions: must have at most ${maxTransactions} items`);
  }
  return value;
}

interface Position {
  readonly id: string;
  readonly at: string;
  readonly terms: Terms;
}

function parsePlay({ type, amount: given }: Fields, { id, at, terms }: Position): Leg {
  if (type !== 'bet' && type !== 'win') throw invalid(`${at}.type: must be bet or win`);
  const amount = parseAmount(given, `${at}.amount`, terms.decimals);
  const purse = 'cash';
  if (type === 'bet') return { type, key: id, transactionId: id, amount, purse };
  // In this protocol a win does not name its bet, and wins of free spins have no bet.
  return { type, key: id, transactionId: id, amount, purse, betKey: undefined, needsOpenRound: false };
}

function parseRollback({ type, original_id_provider: original }: Fields, { id, at }: Position): Leg {
  if (type !== 'rollback') throw invalid(`${at}.type: must be rollback`);
  const originalKey = parseId(original, `${at}.original_id_provider`);
  return { type, key: id, transactionId: id, purse: 'cash', originalKey, undoes: 'any' };
}

/**
 * Parses an amount, which must be a text. A JSON number is refused, because a program between provider and
 * wallet may have rounded it.
 */
function parseAmount(value: unknown, field: string, decimals: number): bigint {
  const text = typeof value === 'string' ? value : '';
  const isNegative = text.startsWith('-');
  const amount = parseDecimal(isNegative ? text.slice(1) : text, decimals);
  if (amount === undefined) throw invalid(`${field}: not a valid decimal amount`);
  if (isNegative || amount === 0n) throw invalid(`${field}: must be greater than zero`);
  return amount;
}

const maxIdLength = 128;

/**
 * Whether the text has at most `max` characters. A character has one or two code units. So a text with more
 * than twice `max` code units is certainly too long, and its characters are not counted.
 */
const isWithin = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);

function parseId(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '') throw invalid(`${field}: is required`);
  if (typeof value !== 'string') throw invalid(`${field}: must be a string`);
  if (!isWithin(value, maxIdLength)) throw invalid(`${field}: must have at most ${maxIdLength} characters`);
  if (!isPrintable(value)) throw invalid(`${field}: must not contain control characters or lone surrogates`);
  return value;
}

function parseGameId(value: unknown, { gamePrefix }: Terms): string {
  const id = parseId(value, 'game_id');
  return gamePrefix === '' ? id : parseId(gamePrefix + id, 'game_id');
}

/** The session is recorded but not checked: providers may send ids of their own sessions. */
function parseSession(value: unknown): SessionNeed {
  const isAbsent = value === undefined || value === null || value === '';
  return { token: isAbsent ? undefined : parseId(value, 'session_id'), needs: 'nothing' };
}

function parseFlag(value: unknown, field: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw invalid(`${field}: must be true or false`);
  return value;
}

const currencyForm = /^[A-Z][A-Z0-9_]{2,31}$/;

function checkCurrency(value: unknown, { currencies, currency }: Terms): void {
  if (typeof value !== 'string' || !currencyForm.test(value)) {
    throw invalid(`currency: must match ${currencyForm.source}`);
  }
  const own = Object.hasOwn(currencies, value) ? currencies[value] : value;
  if (own !== currency) throw new InvalidRequest(writeError(currencyNotAllowed));
}
