// Parses the five actions of the Slotegrator protocol to canonical calls.
import { createHash } from 'node:crypto';
import { isPrintable, isPrintableWithin } from '@counterfoil/kit/http/text';
import { parseDecimal } from '../amounts.ts';
import type { Leg, Parsed, PlayCall, ProviderRequest, Terms } from '../dialect.ts';
import { earlyFailures, writeError } from './errors.ts';
import { type Body, type Params, readBody } from './params.ts';

/** The parts of a request that its answer repeats. */
export interface SlotegratorContext {
  /** The ids of the transactions that a rollback names; undefined for other actions. */
  readonly rolledBack: readonly string[] | undefined;
}

/** Thrown for an invalid request. `parseRequest` catches it and answers with the message. */
class InvalidRequest extends Error {}

const invalid = (message: string) => new InvalidRequest(message);

export function parseRequest(request: ProviderRequest, terms: Terms): Parsed<SlotegratorContext> {
  if (request.path !== '' && request.path !== '/') return { invalid: writeError(earlyFailures.not_found) };
  if (request.method !== 'POST') return { invalid: writeError('method: must be POST') };
  const body = readBody(request);
  if (!body) return { invalid: writeError('body: must be a form or a JSON object in UTF-8') };
  try {
    return parseAction({ ...body, terms });
  } catch (error) {
    const description = error instanceof InvalidRequest ? error.message : earlyFailures.internal_error;
    return { invalid: writeError(description) };
  }
}

interface Given extends Body {
  readonly terms: Terms;
}

function parseAction(given: Given): Parsed<SlotegratorContext> {
  const { params, terms } = given;
  const action = params.get('action');
  const parseLegs = typeof action === 'string' ? actions.get(action) : undefined;
  if (!parseLegs && action !== 'balance')
    throw invalid('action: must be balance, bet, win, refund or rollback');
  const playerId = parseId(params, 'player_id');
  checkCurrency(params.get('currency'), terms);
  // The session is recorded but not checked: a win may name a different session than its bet.
  const session = { token: parseOptionalId(params, 'session_id'), needs: 'nothing' } as const;
  if (!parseLegs) return { call: { kind: 'balance', playerId, session }, context: { rolledBack: undefined } };
  const gameId = parseGameId(params, terms);
  const roundId = parseOptionalId(params, 'round_id');
  const { legs, rolledBack, requestId } = parseLegs(given);
  const roundFinished = parseFlag(params.get('finished'), 'finished') && roundId !== undefined;
  const call: PlayCall = { kind: 'play', playerId, session, legs, gameId, roundId, roundFinished };
  const bound = requestId === undefined ? call : { ...call, requestId, isRequestBound: true };
  return { call: bound, context: { rolledBack } };
}

interface ParsedLegs {
  readonly legs: readonly Leg[];
  readonly rolledBack?: readonly string[];
  /** The id of a rollback. This id may be used with one list of transactions only. */
  readonly requestId?: string;
}

const actions = new Map<string, (given: Given) => ParsedLegs>([
  ['bet', parseBet],
  ['win', parseWin],
  ['refund', parseRefund],
  ['rollback', parseRollback],
]);

function parseBet(given: Given): ParsedLegs {
  const { params } = given;
  const id = parseId(params, 'transaction_id');
  const amount = parseAmount(given);
  const type = params.get('type') ?? 'bet';
  if (type !== 'bet' && type !== 'tip' && type !== 'freespin')
    throw invalid('type: must be bet, tip or freespin');
  if (type === 'freespin' && amount !== 0n) throw invalid('amount: must be 0 for a freespin');
  return { legs: [{ type: 'bet', key: id, transactionId: id, amount, purse: 'cash' }] };
}

function parseWin(given: Given): ParsedLegs {
  const id = parseId(given.params, 'transaction_id');
  const amount = parseAmount(given);
  // New versions of the protocol add types of wins, such as `tournament`. All types are paid, so only the
  // form of `type` is checked.
  parseOptionalId(given.params, 'type');
  // In this protocol a win does not name its bet.
  const unrelated = { betKey: undefined, needsOpenRound: false };
  return { legs: [{ type: 'win', key: id, transactionId: id, amount, purse: 'cash', ...unrelated }] };
}

function parseRefund(given: Given): ParsedLegs {
  const { params } = given;
  const id = parseId(params, 'transaction_id');
  const originalKey = parseId(params, 'bet_transaction_id');
  checkAmount(given, 'amount');
  const leg = { key: id, transactionId: id, purse: 'cash', originalKey, undoes: 'bets' } as const;
  return { legs: [{ type: 'rollback', ...leg }] };
}

const entryName = /^(rollback_transactions\[[^[\]]*\])/;

/**
 * The maximum number of entries in the list of a rollback. A form of 64 KiB has room for hundreds of entries.
 * Processing all of them would delay the calls of other players.
 */
const maxEntries = 100;

function parseRollback(given: Given): ParsedLegs {
  const { params } = given;
  const id = parseId(params, 'transaction_id');
  const entries = Array.from(listEntries(params), (entry) => parseEntry(given, entry));
  const list = hashList(entries);
  const undo = (action: Entry['action']) =>
    entries
      .filter((entry) => entry.action === action)
      .map(({ original }): Leg => {
        // The parts of the key are joined by line breaks. No id contains a line break, so no other
        // transaction has this key. The hash of the list is a part of the key, so a rollback with a different
        // list has different keys.
        const key = `${id}\n${list}\n${original}`;
        const leg = { key, transactionId: id, purse: 'cash', originalKey: original } as const;
        return { type: 'rollback', ...leg, undoes: 'any' };
      });
  // Stakes are returned before wins are taken back. Otherwise the balance might cover only a part of the
  // wins. A refund in the list has no leg: its bet is in the list too, and the refund has already rolled the
  // bet back.
  const legs = [...undo('bet'), ...undo('win')];
  if (legs.length === 0) throw invalid('rollback_transactions: must have a bet or a win');
  return { legs, rolledBack: entries.map(({ original }) => original), requestId: id };
}

interface Entry {
  readonly action: 'bet' | 'win' | 'refund';
  readonly original: string;
  readonly amount: string;
}

function parseEntry(given: Given, name: string): Entry {
  const { params } = given;
  const original = parseId(params, `${name}[transaction_id]`);
  checkAmount(given, `${name}[amount]`);
  const amount = readAmount(given, `${name}[amount]`);
  const action = params.get(`${name}[action]`);
  if (action !== 'bet' && action !== 'win' && action !== 'refund')
    throw invalid(`${name}[action]: must be bet, win or refund`);
  return { action, original, amount };
}

const endOfDecimals = /\.?0+$/;

/** Hashes the list of a rollback. The order of entries and zeros at the end of amounts do not matter. */
function hashList(entries: readonly Entry[]): string {
  const lines = entries.map(({ action, original, amount }) => {
    const plain = amount.includes('.') ? amount.replace(endOfDecimals, '') : amount;
    return `${action} ${plain} ${original}`;
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url').slice(0, 22);
}

/**
 * Lists the names of the entries in order, such as `rollback_transactions[0]`. The numbers may have gaps,
 * because PHP does not renumber a filtered list.
 */
function listEntries(params: Params): ReadonlySet<string> {
  const entries = new Set<string>();
  for (const name of params.keys()) {
    const entry = entryName.exec(name)?.[1];
    if (entry !== undefined) entries.add(entry);
  }
  if (entries.size > maxEntries)
    throw invalid(`rollback_transactions: must have at most ${maxEntries} items`);
  return entries;
}

/** A bet or win of 0 is valid: freespins cost nothing, and a lost round ends with a win of 0. */
function parseAmount(given: Given): bigint {
  const { decimals } = given.terms;
  const text = readAmount(given, 'amount');
  const amount = parseDecimal(text, decimals);
  if (amount !== undefined) return amount;
  if (plainDecimal.test(text))
    throw invalid(`amount: must have at most 15 digits, of them ${decimals} decimals`);
  throw invalid('amount: not a valid decimal amount');
}

const plainDecimal = /^\d{1,15}(?:\.\d{1,8}0*)?$/;

/**
 * Checks only that the amount is a plain decimal. The value is not used, because the ledger returns the
 * amount of the original transaction. More decimals than the package allows are accepted: the original was
 * refused because of them, but its refund must succeed.
 */
function checkAmount(given: Given, name: string): void {
  if (!plainDecimal.test(readAmount(given, name))) {
    throw invalid(`${name}: not a valid decimal amount`);
  }
}

/**
 * Returns the amount as decimal text. A JSON number is written with the fewest possible digits; it is refused
 * if `JSON.parse` lost digits.
 */
function readAmount({ params, hasInexactNumber }: Given, name: string): string {
  const value = params.get(name);
  if (value === undefined || value === '') throw invalid(`${name}: is required`);
  const isText = typeof value === 'string' || (typeof value === 'number' && !hasInexactNumber);
  const text = isText ? String(value) : '';
  if (text.startsWith('-')) throw invalid(`${name}: must not be negative`);
  return text;
}

const maxIdLength = 128;

function parseId(params: Params, name: string): string {
  const value = params.get(name);
  if (value === undefined || value === '') throw invalid(`${name}: is required`);
  if (typeof value !== 'string') throw invalid(`${name}: must be a string`);
  return checkId(value, name);
}

function checkId(id: string, name: string): string {
  const isValid = id.length <= maxIdLength ? isPrintable(id) : isPrintableWithin(id, { max: maxIdLength });
  if (!isValid) throw invalid(`${name}: must have at most ${maxIdLength} printable characters`);
  return id;
}

/** Reads an optional id. An empty text in a form means that the value is absent. */
const parseOptionalId = (params: Params, name: string): string | undefined =>
  params.get(name) === '' || !params.has(name) ? undefined : parseId(params, name);

function parseGameId(params: Params, { gamePrefix }: Terms): string {
  const id = parseId(params, 'game_uuid');
  return gamePrefix === '' ? id : checkId(gamePrefix + id, 'game_uuid');
}

/** Reads a flag. PHP writes a boolean into a form as 1 or 0. */
function parseFlag(value: string | number | boolean | undefined, name: string): boolean {
  if (value === undefined || value === '') return false;
  const text = String(value);
  if (text === '1' || text === 'true') return true;
  if (text !== '0' && text !== 'false') throw invalid(`${name}: must be 1 or 0`);
  return false;
}

const currencyForm = /^[A-Z][A-Z0-9_]{2,31}$/;

function checkCurrency(value: string | number | boolean | undefined, { currencies, currency }: Terms): void {
  if (typeof value !== 'string' || !currencyForm.test(value)) {
    throw invalid(`currency: must match ${currencyForm.source}`);
  }
  const own = Object.hasOwn(currencies, value) ? currencies[value] : value;
  if (own !== currency) throw invalid('currency: is not the currency of the player');
}
