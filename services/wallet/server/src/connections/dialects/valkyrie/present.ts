// Presents results in the form of Valkyrie's PAM API.
import { quoteText } from '@counterfoil/kit/http/read-json';
import { formatDecimal } from '../amounts.ts';
import type { Balances, CallResult, FoundTransaction, ProviderResponse, Terms } from '../dialect.ts';
import { failureErrors, type PamError, requestErrors } from './errors.ts';
import { isCancel, type Reference, type TransactionType, toCashKey, typeOf } from './keys.ts';

/** The facts about a request that its answer depends on. */
export type ValkyrieContext =
  | { readonly kind: 'session' | 'balance' | 'round' }
  /** A transaction that is refused. The call only reads the balance for the answer. */
  | { readonly kind: 'refused'; readonly error: PamError }
  | { readonly kind: 'transactions'; readonly reference: Reference }
  | {
      readonly kind: 'transaction';
      readonly type: TransactionType;
      /**
       * Whether the transaction has two legs. The first leg then moves promo money, and the last leg always
       * moves cash.
       */
      readonly hasPromoLeg: boolean;
      /** Whether a deposit has the same id as the bet that it names. */
      readonly reusesBetId: boolean;
    };

type Failed = Extract<CallResult, { kind: 'failed' }>;
type Played = Extract<CallResult, { kind: 'played' }>;

const ok = (entity: string): ProviderResponse => ({ status: 200, body: `{"status":"OK",${entity}}` });

/** Writes an error. `more` is an additional property of the answer, as JSON text. */
export const presentError = ({ status, code, message }: PamError, more = ''): ProviderResponse => ({
  status,
  body: `{"status":"ERROR","error":{"code":"${code}","message":${quoteText(message)}}${more}}`,
});

export function present(result: CallResult, context: ValkyrieContext, terms: Terms): ProviderResponse {
  switch (result.kind) {
    case 'failed':
      return presentFailure(result, context, terms);
    case 'played':
      return presentPlayed(result, context, terms);
    case 'balance':
      if (context.kind === 'refused') return presentWithBalances(context.error, result.balances, terms);
      return ok(`"balance":${writeBalances(result.balances, terms)}`);
    case 'session':
      return presentSession(result.session, terms);
    case 'transactions':
      return presentTransactions(result.transactions, context, terms);
    case 'round':
      return presentRound(result.round, terms);
  }
}

const writeBalances = ({ cash, promo }: Balances, { decimals }: Terms): string =>
  `{"cashAmount":${formatDecimal(cash, decimals)},"bonusAmount":0,` +
  `"promoAmount":${formatDecimal(promo, decimals)}}`;

/** Writes an error with the balance. The balance is in `transactionResult`, even in answers to look-ups. */
const presentWithBalances = (error: PamError, balances: Balances | undefined, terms: Terms) =>
  presentError(error, balances && `,"transactionResult":{"balance":${writeBalances(balances, terms)}}`);

function presentFailure(failure: Failed, context: ValkyrieContext, terms: Terms): ProviderResponse {
  return presentWithBalances(findError(failure, context), failure.balances, terms);
}

function findError({ code, leg }: Failed, context: ValkyrieContext): PamError {
  if (context.kind === 'transactions' && code === 'bet_not_found') return requestErrors.transactionNotFound;
  if (context.kind !== 'transaction') return failureErrors[code];
  const { hasPromoLeg, reusesBetId } = context;
  if (code === 'insufficient_funds' && hasPromoLeg && leg === 0) return requestErrors.promoOverdraft;
  // The deposit has the id of a bet of a different player or round. The PAM API calls such a deposit a
  // duplicate.
  if (code === 'bet_not_found' && reusesBetId) return failureErrors.transaction_conflict;
  return failureErrors[code];
}

/** Presents the result of a transaction. The last leg is the cash leg, which every transaction has. */
function presentPlayed({ legs, balances }: Played, context: ValkyrieContext, terms: Terms): ProviderResponse {
  const leg = legs.at(-1);
  if (!leg) return presentError(failureErrors.internal_error);
  const isOfCancel = context.kind === 'transaction' && isCancel(context.type);
  if (isOfCancel && leg.result === 'already_rolled_back') {
    return presentWithBalances(requestErrors.alreadyCancelled, balances, terms);
  }
  if (isOfCancel && leg.result !== 'rolled_back') {
    return presentWithBalances(requestErrors.cancelNotFound, balances, terms);
  }
  const balance = writeBalances(balances, terms);
  return ok(`"transactionResult":{"transactionId":${quoteText(leg.id)},"balance":${balance}}`);
}

/** Finds the provider's code for the package's currency. */
function toTheirCurrency({ currency, currencies }: Terms): string {
  return Object.keys(currencies).find((code) => currencies[code] === currency) ?? currency;
}

const toTheirGame = (gameId: string, { gamePrefix }: Terms): string =>
  gameId.startsWith(gamePrefix) ? gameId.slice(gamePrefix.length) : gameId;

/**
 * The wallet stores neither the country nor the language of a player. So the country is always `ZZ`, the code
 * of an unknown region, and the language is always `en`.
 */
function presentSession(
  { token, playerId, gameId }: Extract<CallResult, { kind: 'session' }>['session'],
  terms: Terms,
): ProviderResponse {
  const currency = quoteText(toTheirCurrency(terms));
  return ok(
    `"session":{"playerId":${quoteText(playerId)},"token":${quoteText(token)},"currency":${currency},` +
      `"country":"ZZ","language":"en","gameId":${quoteText(toTheirGame(gameId, terms))}}`,
  );
}

function presentRound(
  { roundId, gameId, openedAt, closedAt }: Extract<CallResult, { kind: 'round' }>['round'],
  terms: Terms,
): ProviderResponse {
  const endTime = closedAt ? `,"endTime":"${closedAt.toISOString()}"` : '';
  return ok(
    `"gameround":{"providerGameId":${quoteText(toTheirGame(gameId ?? '', terms))},` +
      `"providerRoundId":${quoteText(roundId)},"startTime":"${openedAt.toISOString()}"${endTime}}`,
  );
}

/** Presents the transactions that were found. The legs of one transaction become one entry. */
function presentTransactions(
  found: readonly FoundTransaction[],
  context: ValkyrieContext,
  terms: Terms,
): ProviderResponse {
  const reference = context.kind === 'transactions' ? context.reference : undefined;
  const entries = found
    .filter(({ purse }) => purse === 'cash')
    .map((cash) => {
      const promo = found.find((each) => each.purse === 'promo' && toCashKey(each.key) === cash.key);
      return presentTransaction(cash, promo?.amount ?? 0n, { terms, reference });
    });
  if (entries.length === 0) return presentError(requestErrors.transactionNotFound);
  return ok(`"transactions":${JSON.stringify(entries)}`);
}

function presentTransaction(
  cash: FoundTransaction,
  promoAmount: bigint,
  { terms, reference }: { terms: Terms; reference: Reference | undefined },
) {
  const { decimals } = terms;
  return {
    currency: toTheirCurrency(terms),
    provider: reference?.provider ?? '',
    transactionType: typeOf(cash, promoAmount),
    // Amounts have up to 15 digits, so these JSON numbers are exact.
    cashAmount: Number(formatDecimal(cash.amount, decimals)),
    bonusAmount: 0,
    promoAmount: Number(formatDecimal(promoAmount, decimals)),
    transactionDateTime: cash.at.toISOString(),
    providerTransactionId: cash.transactionId,
    providerBetRef: reference?.betRef,
    providerGameId: cash.gameId === undefined ? undefined : toTheirGame(cash.gameId, terms),
    providerRoundId: cash.roundId,
  };
}
