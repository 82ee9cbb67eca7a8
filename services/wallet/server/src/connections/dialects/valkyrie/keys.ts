// The keys of Valkyrie's transactions. Every transaction has a cash leg, so the key of this leg finds the
// transaction.
import type { FoundTransaction } from '../dialect.ts';

export const transactionTypes = [
  'WITHDRAW',
  'PROMOWITHDRAW',
  'DEPOSIT',
  'PROMODEPOSIT',
  'CANCEL',
  'PROMOCANCEL',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

export interface Reference {
  /** The name of the game provider. It contains no slash, so the keys of two providers always differ. */
  readonly provider: string;
  readonly transactionId: string;
  readonly betRef: string | undefined;
}

/**
 * The name of a transaction in its key. It is the bet reference, or the transaction id if there is no
 * reference, as pam_api.yml requires.
 */
const nameOf = ({ provider, transactionId, betRef }: Reference): string =>
  `${provider}/${betRef ?? transactionId}`;

export const isWithdrawal = (type: TransactionType): boolean =>
  type === 'WITHDRAW' || type === 'PROMOWITHDRAW';
export const isCancel = (type: TransactionType): boolean => type === 'CANCEL' || type === 'PROMOCANCEL';

/**
 * The key of a withdrawal. `WITHDRAW` and `PROMOWITHDRAW` share one id space, so that a cancel of either type
 * finds both. This is necessary because Caleta may leave out the flag that distinguishes the types. Deposits
 * without a reference use the same space: a cancel that names one of these deposits finds the deposit, and is
 * refused because only withdrawals can be cancelled.
 */
export const betKeyOf = (reference: Reference): string => `id ${nameOf(reference)}`;

/** The key of the cash leg of a transaction. */
export function keyOf(type: TransactionType, reference: Reference): string {
  const isOfBet = isCancel(type) || (!isWithdrawal(type) && reference.betRef !== undefined);
  return isOfBet ? `${type} ${nameOf(reference)}` : betKeyOf(reference);
}

/** The key of the leg that moves promo money. */
export const promoKeyOf = (cashKey: string): string => `promo ${cashKey}`;

/** All keys that transactions with this reference may have. */
export function listKeys(reference: Reference): string[] {
  const name = nameOf(reference);
  const spaces = ['id', 'DEPOSIT', 'PROMODEPOSIT', 'CANCEL', 'PROMOCANCEL'];
  return spaces.flatMap((space) => [`${space} ${name}`, `promo ${space} ${name}`]);
}

/** The spellings of the game providers' names that Valkyrie may send in the query. */
const gameProviders = ['Evolution', 'Caleta', 'Red Tiger', 'evolution', 'caleta', 'redtiger'];

/**
 * Lists the keys for a text that a person entered: a bet reference or a transaction id, perhaps as
 * `provider/reference`.
 */
export function listKeysOf(text: string): string[] {
  const references = gameProviders.map((provider) => ({ provider, transactionId: text, betRef: undefined }));
  const slash = text.indexOf('/');
  const named = { provider: text.slice(0, slash), transactionId: text.slice(slash + 1), betRef: undefined };
  return [...references, ...(slash > 0 ? [named] : [])].flatMap(listKeys);
}

/** Converts the key of a cash leg or promo leg to the key of the cash leg of the same transaction. */
export const toCashKey = (key: string): string => (key.startsWith('promo ') ? key.slice(6) : key);

/**
 * Finds the type of a transaction. The key of a withdrawal does not contain the type. A withdrawal that moves
 * promo money only is a promo withdrawal.
 */
export function typeOf(cash: FoundTransaction, promoAmount: bigint): TransactionType {
  const space = cash.key.slice(0, cash.key.indexOf(' '));
  const type = transactionTypes.find((each) => each === space);
  if (type) return type;
  if (cash.type === 'win') return 'DEPOSIT';
  return cash.amount === 0n && promoAmount > 0n ? 'PROMOWITHDRAW' : 'WITHDRAW';
}
