// Parses requests of Valkyrie's PAM API. Nothing in a request is trusted before it is checked here.
import { isUtf8 } from 'node:buffer';
import { isPrintable } from '@counterfoil/kit/http/text';
import { hasInexactNumber, parseAmount } from '../amounts.ts';
import type { Leg, Parsed, PlayCall, ProviderRequest, Secrets, SessionNeed, Terms } from '../dialect.ts';
import { failureErrors, invalid, type PamError, requestErrors } from './errors.ts';
import {
  betKeyOf,
  isCancel,
  isWithdrawal,
  keyOf,
  listKeys,
  listOriginalNames,
  nameKeyOf,
  promoKeyOf,
  type Reference,
  type TransactionType,
  transactionTypes,
} from './keys.ts';
import { presentError, type ValkyrieContext } from './present.ts';
import { hasFullToken, isReconToken } from './signature.ts';

type ValkyrieParsed = Parsed<ValkyrieContext>;

const refuse = (error: PamError): ValkyrieParsed => ({ invalid: presentError(error) });
const isError = (value: object): value is PamError => 'code' in value;

const playerPath = /^\/players\/([^/]+)\/(?:(balance|transactions)|gamerounds\/([^/]+))$/;

/** A request about a player, with its decoded path and the name of the game provider. */
interface PlayerRequest {
  readonly request: ProviderRequest;
  readonly playerId: string;
  readonly token: string | undefined;
  readonly query: Query;
}

interface Query {
  readonly provider: string;
  readonly transactionId: string | undefined;
  readonly betRef: string | undefined;
}

export function parse(request: ProviderRequest, terms: Terms, secrets: readonly Secrets[]): ValkyrieParsed {
  const { method, path } = request;
  const route = path === '/players/session' ? undefined : playerPath.exec(path);
  if (route === null) return refuse(invalid('There is no such address.', 404));
  const query = readQuery(request.query);
  if (isError(query)) return refuse(query);
  const token = readToken(request);
  const isTransaction = method === 'POST' && route?.[2] === 'transactions';
  if (!isTransaction && !hasFullToken(request, secrets)) return refuse(requestErrors.apiToken);
  if (!route) return parseSession(method, token);
  const playerId = decode(route[1] ?? '');
  if (!isId(playerId)) return refuse(invalid('The player id is not valid.'));
  const asked = { request, playerId, token, query };
  if (isTransaction) return parseTransaction(asked, terms, secrets);
  if (method !== 'GET') return refuse(invalid('The method is not allowed.', 405));
  return parseLookup(asked, terms, { name: route[2], round: route[3] });
}

function parseSession(method: string, token: string | undefined): ValkyrieParsed {
  if (method !== 'GET' && method !== 'PUT') return refuse(invalid('The method is not allowed.', 405));
  const kind = method === 'GET' ? 'session' : 'replace_session';
  return { call: { kind, token }, context: { kind: 'session' } };
}

/**
 * Parses a request for the balance, for transactions or for a round. In requests for transactions or a round,
 * the session may have expired, because Valkyrie sends them before late deposits and cancels.
 */
function parseLookup(
  { playerId, token, query }: PlayerRequest,
  { sharesNames = false }: Terms,
  { name, round }: { name: string | undefined; round: string | undefined },
): ValkyrieParsed {
  if (name === 'balance') {
    const session: SessionNeed = { token, needs: 'running' };
    return { call: { kind: 'balance', playerId, session }, context: { kind: 'balance' } };
  }
  const session: SessionNeed = { token, needs: 'known' };
  if (round !== undefined) {
    const roundId = decode(round);
    if (!isId(roundId)) return refuse(invalid('The round id is not valid.'));
    return { call: { kind: 'round', playerId, session, roundId }, context: { kind: 'round' } };
  }
  const { provider, transactionId, betRef } = query;
  const wanted = betRef ?? transactionId;
  if (!isId(wanted)) return refuse(invalid('providerTransactionId or providerBetRef is required.'));
  const reference = { provider, transactionId: wanted, betRef, sharesNames };
  return {
    call: { kind: 'transactions', playerId, session, keys: listKeys(reference) },
    context: { kind: 'transactions', reference },
  };
}

interface Transaction extends Reference {
  readonly type: TransactionType;
  readonly cash: bigint;
  readonly promo: bigint;
  readonly gameId: string | undefined;
  readonly roundId: string | undefined;
  readonly isGameOver: boolean;
}

function parseTransaction(asked: PlayerRequest, terms: Terms, secrets: readonly Secrets[]): ValkyrieParsed {
  const { request, playerId, token, query } = asked;
  const fields = readObject(request.body);
  if (isError(fields)) return refuse(fields);
  const type = transactionTypes.find((each) => each === fields.object.transactionType);
  if (!type) return refuse(invalid('transactionType is not valid.'));
  const takesMoney = isWithdrawal(type);
  const hasFull = hasFullToken(request, secrets);
  if (takesMoney && !hasFull) return refuse(requestErrors.apiToken);
  const isRecon = !hasFull || (!takesMoney && isReconToken(token, secrets));
  const session = toSessionNeed(token, takesMoney, isRecon);
  const transaction = readTransaction(fields.object, type, { provider: query.provider, terms });
  if (isError(transaction)) return refuseTransaction(transaction, { playerId, session });
  const { roundId } = transaction;
  const legs = toLegs(transaction);
  const call: PlayCall = {
    kind: 'play',
    playerId,
    session,
    legs,
    gameId: transaction.gameId === undefined ? undefined : terms.gamePrefix + transaction.gameId,
    roundId,
    roundFinished: transaction.isGameOver && roundId !== undefined,
    // Either all legs are new or all legs are repeats. So a repeat with a different promo amount cannot move
    // promo money.
    isOneTransaction: true,
    absentKeys: legs.length > 1 ? [] : listAbsentKeys(transaction),
    usesPromo: true,
  };
  const reusesBetId = type === 'DEPOSIT' && transaction.betRef === transaction.transactionId;
  return { call, context: { kind: 'transaction', type, hasPromoLeg: legs.length > 1, reusesBetId } };
}

/**
 * The PAM API answers a refused transaction with HTTP 200 and the balance. The session of the transaction is
 * used to read the balance. A malformed request gets a different status and no balance.
 */
function refuseTransaction(
  error: PamError,
  of: { readonly playerId: string; readonly session: SessionNeed },
): ValkyrieParsed {
  if (error.status !== 200) return refuse(error);
  const call = { kind: 'balance', ...of } as const;
  return { call, context: { kind: 'refused', error }, refusal: 'invalid_parameter' };
}

function toSessionNeed(token: string | undefined, takesMoney: boolean, isRecon: boolean): SessionNeed {
  // The recon token is a secret, so it is not passed on as the id of a session.
  if (isRecon) return { token: undefined, needs: 'nothing' };
  return { token, needs: takesMoney ? 'running' : 'known' };
}

/**
 * A transaction always has a cash leg, even if the cash amount is zero. The cash leg is the last leg, because
 * the last leg closes the round, and answers read the round of the cash account. Every rule about bets and
 * rounds is checked on the cash leg. If the cash leg is refused, the promo leg is not applied either.
 */
function toLegs(transaction: Transaction): Leg[] {
  const { type, transactionId, betRef, roundId, cash, promo } = transaction;
  const [key, nameKey, betKey] = [
    keyOf(type, transaction),
    nameKeyOf(type, transaction),
    betKeyOf(transaction),
  ];
  const isKnownByName = betRef === undefined;
  const ofCash = { key, nameKey, isKnownByName, transactionId, purse: 'cash' } as const;
  const ofPromo = { ...ofCash, key: promoKeyOf(key), nameKey: promoKeyOf(nameKey), purse: 'promo' } as const;
  if (isCancel(type)) {
    // The amounts in a cancel are ignored, so the cancel does not show whether the bet used promo money.
    // Therefore a cancel always has two legs. One leg undoes the cash leg of the bet, and the other undoes
    // the promo leg.
    const rollback = { type: 'rollback', undoes: 'open_bets' } as const;
    const originalNames = listOriginalNames(transaction);
    const promoNames = originalNames.slice(0, 1).map(promoKeyOf);
    return [
      { ...rollback, ...ofPromo, originalKey: promoKeyOf(betKey), originalNames: promoNames },
      { ...rollback, ...ofCash, originalKey: betKey, originalNames },
    ];
  }
  if (isWithdrawal(type)) {
    const leg: Leg = { type: 'bet', ...ofCash, amount: cash };
    return promo === 0n ? [leg] : [{ ...leg, ...ofPromo, amount: promo }, leg];
  }
  const isOfBet = type === 'DEPOSIT';
  const leg: Leg = {
    type: 'win',
    ...ofCash,
    amount: cash,
    betKey: isOfBet && betRef !== undefined ? betKey : undefined,
    // A deposit that names neither a bet nor a round gets the same refusal as a deposit for an unknown round.
    needsOpenRound: isOfBet && (roundId !== undefined || betRef === undefined),
  };
  if (promo === 0n) return [leg];
  return [{ ...leg, ...ofPromo, amount: promo, betKey: undefined, needsOpenRound: false }, leg];
}

/** The keys that the promo leg of the transaction would have if the transaction moved promo money. */
function listAbsentKeys(transaction: Transaction): string[] {
  const { type, betRef } = transaction;
  const keys = [keyOf(type, transaction), ...(betRef === undefined ? [nameKeyOf(type, transaction)] : [])];
  return [...new Set(keys)].map(promoKeyOf);
}

type Fields = Readonly<Record<string, unknown>>;

const amountNames = new Set(['cashAmount', 'promoAmount', 'bonusAmount']);

/**
 * Refuses invalid UTF-8: all invalid bytes decode to the same character, so two different ids could become
 * equal.
 */
function readObject(body: Buffer): { readonly object: Fields } | PamError {
  if (!isUtf8(body)) return invalid('The body is not UTF-8.');
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('The body is not a JSON object.');
  }
  if (hasInexactNumber(text, amountNames)) return invalid('An amount has too many digits or an exponent.');
  return { object: value as Fields };
}

function readTransaction(
  fields: Fields,
  type: TransactionType,
  { provider, terms }: { provider: string; terms: Terms },
): Transaction | PamError {
  const { providerTransactionId: transactionId, isGameOver = null } = fields;
  if (!isId(transactionId)) return invalid('providerTransactionId is not valid.');
  const [betRef, gameId, roundId] = [fields.providerBetRef, fields.providerGameId, fields.providerRoundId];
  if (!isOptionalId(betRef)) return invalid('providerBetRef is not valid.');
  if (!isOptionalId(gameId)) return invalid('providerGameId is not valid.');
  if (gameId && /\s/.test(gameId)) return failureErrors.game_not_found;
  if (!isOptionalId(roundId)) return invalid('providerRoundId is not valid.');
  if (isGameOver !== null && typeof isGameOver !== 'boolean') return invalid('isGameOver is not valid.');
  if (typeof fields.currency !== 'string') return invalid('currency is required.');
  if (toOwnCurrency(fields.currency, terms) !== terms.currency) return requestErrors.currency;
  const amounts = isCancel(type) ? noAmounts : readAmounts(fields, type, terms.decimals);
  if (isError(amounts)) return amounts;
  return {
    type,
    provider,
    transactionId,
    sharesNames: terms.sharesNames ?? false,
    // Valkyrie sends an empty text for an id that the game provider left out.
    betRef: betRef || undefined,
    gameId: gameId || undefined,
    roundId: roundId || undefined,
    isGameOver: isGameOver === true,
    cash: amounts.cash,
    promo: amounts.promo,
  };
}

const toOwnCurrency = (code: string, { currencies }: Terms): string =>
  Object.hasOwn(currencies, code) ? (currencies[code] ?? code) : code;

interface Amounts {
  readonly cash: bigint;
  readonly promo: bigint;
}

const noAmounts: Amounts = { cash: 0n, promo: 0n };

function readAmounts(fields: Fields, type: TransactionType, decimals: number): Amounts | PamError {
  const { cashAmount, promoAmount, bonusAmount } = fields;
  if (![cashAmount, promoAmount, bonusAmount].every((amount) => typeof amount === 'number')) {
    return invalid('cashAmount, promoAmount and bonusAmount must be numbers.');
  }
  if (Number(cashAmount) < 0 || Number(promoAmount) < 0 || Number(bonusAmount) < 0) {
    return requestErrors.negative;
  }
  const cash = parseAmount(cashAmount, decimals);
  const promo = parseAmount(promoAmount, decimals);
  if (cash === undefined || promo === undefined) {
    return invalid(`An amount is too large or has more than ${decimals} decimals.`);
  }
  if (bonusAmount === 0) return { cash, promo };
  // The wallet has no account for bonus money. So a bonus amount is refused, because otherwise the money
  // would be lost.
  return isWithdrawal(type) ? requestErrors.bonusOverdraft : invalid('bonusAmount must be 0.');
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 128 && isPrintable(value);

const isOptionalId = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || value === '' || isId(value);

function readToken({ headers }: ProviderRequest): string | undefined {
  const token = headers['x-player-token'];
  return isId(token) ? token : undefined;
}

/** Matches the most frequent query, which has only the provider and needs no decoding. */
const providerOnly = /^provider=([\w.-]{1,40})$/;

function readQuery(query: string): Query | PamError {
  const plain = providerOnly.exec(query)?.[1];
  if (plain !== undefined) return { provider: plain, transactionId: undefined, betRef: undefined };
  const values = new Map<string, string>();
  for (const part of query.split('&', 32)) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    const value = decode(part.slice(at + 1).replaceAll('+', ' '));
    if (value === undefined) return invalid('The query is not valid.');
    values.set(part.slice(0, at), value);
  }
  const provider = values.get('provider');
  if (!isId(provider) || provider.length > 40 || provider.includes('/')) return requestErrors.missingProvider;
  const transactionId = values.get('providerTransactionId') || undefined;
  return { provider, transactionId, betRef: values.get('providerBetRef') || undefined };
}

/** Decodes a percent-encoded text; undefined if the text is not percent-encoded UTF-8. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
