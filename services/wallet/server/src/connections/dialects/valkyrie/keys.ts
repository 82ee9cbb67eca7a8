// The keys of Valkyrie's transactions. Every transaction has a cash leg, and the key of this leg finds the
// transaction. Bet references and transaction ids are two name spaces: a key with a transaction id begins
// with `tx`. Connections of early versions of the wallet also have keys with a transaction id but without
// `tx`.
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
  /**
   * Whether references and transaction ids are one name space, as in connections of early versions of the
   * wallet.
   */
  readonly sharesNames: boolean;
}

/**
 * The types of keys. Withdrawals, and deposits without a reference, have keys of the type `id`. The two types
 * of withdrawals share this type of key, because Caleta may leave out the flag that distinguishes them. So a
 * cancel of either type finds both. A cancel also finds a deposit without a reference, but is refused because
 * a deposit is not a withdrawal.
 */
const spaces = ['id', 'DEPOSIT', 'PROMODEPOSIT', 'CANCEL', 'PROMOCANCEL'] as const;
type Space = (typeof spaces)[number];

/** The key with the transaction id. Every transaction has this key, even a transaction with a reference. */
const nameKeyIn = (space: Space, { provider, transactionId }: Reference): string =>
  `tx ${space} ${provider}/${transactionId}`;

/**
 * The key with the bet reference. If there is no reference, the key has the transaction id, as pam_api.yml
 * says.
 */
function keyIn(space: Space, reference: Reference): string {
  const { provider, transactionId, betRef, sharesNames } = reference;
  if (betRef === undefined && !sharesNames) return nameKeyIn(space, reference);
  return `${space} ${provider}/${betRef ?? transactionId}`;
}

function spaceOf(type: TransactionType, { betRef }: Reference): Space {
  if (isCancel(type)) return type;
  return isWithdrawal(type) || betRef === undefined ? 'id' : type;
}

export const isWithdrawal = (type: TransactionType): type is 'WITHDRAW' | 'PROMOWITHDRAW' =>
  type === 'WITHDRAW' || type === 'PROMOWITHDRAW';
export const isCancel = (type: TransactionType): type is 'CANCEL' | 'PROMOCANCEL' =>
  type === 'CANCEL' || type === 'PROMOCANCEL';

/** The key of the withdrawal that the reference names. */
export const betKeyOf = (reference: Reference): string => keyIn('id', reference);

/** The key of the cash leg of a transaction. */
export const keyOf = (type: TransactionType, reference: Reference): string =>
  keyIn(spaceOf(type, reference), reference);

/** The second key of the cash leg of a transaction. This key always contains the transaction id. */
export const nameKeyOf = (type: TransactionType, reference: Reference): string =>
  nameKeyIn(spaceOf(type, reference), reference);

/**
 * Lists further keys by which a cancel finds its original. These keys contain the transaction id. The
 * original should be a withdrawal. Deposits are found too, so that a cancel of a deposit can be refused.
 */
export const listOriginalNames = (reference: Reference): string[] =>
  (['id', 'DEPOSIT', 'PROMODEPOSIT'] as const).map((space) => nameKeyIn(space, reference));

/** The key of the leg that moves promo money. */
export const promoKeyOf = (cashKey: string): string => `promo ${cashKey}`;

/**
 * All keys that transactions with this bet reference may have. If there is no reference, returns the keys
 * that transactions with this transaction id may have.
 */
export function listKeys(reference: Reference): string[] {
  const keys = spaces.flatMap((space) =>
    reference.betRef === undefined
      ? [keyIn(space, reference), nameKeyIn(space, reference)]
      : [keyIn(space, reference)],
  );
  return [...new Set(keys)].flatMap((key) => [key, promoKeyOf(key)]);
}

/** The spellings of the game providers' names that Valkyrie may send in the query. */
const gameProviders = ['Evolution', 'Caleta', 'Red Tiger', 'evolution', 'caleta', 'redtiger'];

/**
 * Lists the keys for a text that a person entered: a bet reference or a transaction id, perhaps as
 * `provider/reference`.
 */
export function listKeysOf(text: string): string[] {
  // With `sharesNames`, the list has the keys of references and the keys of transaction ids.
  const both = { betRef: undefined, sharesNames: true };
  const references = gameProviders.map((provider) => ({ provider, transactionId: text, ...both }));
  const slash = text.indexOf('/');
  const named = { provider: text.slice(0, slash), transactionId: text.slice(slash + 1), ...both };
  return [...references, ...(slash > 0 ? [named] : [])].flatMap(listKeys);
}

/** Returns the key of the cash leg of a transaction. `key` is the key of its cash leg or of its promo leg. */
export const toCashKey = (key: string): string => (key.startsWith('promo ') ? key.slice(6) : key);

/**
 * Finds the type of a transaction. The key of a withdrawal does not contain its type, so the amounts decide.
 * A withdrawal that moves only promo money is a promo withdrawal.
 */
export function typeOf(cash: FoundTransaction, promoAmount: bigint): TransactionType {
  const key = cash.key.startsWith('tx ') ? cash.key.slice(3) : cash.key;
  const space = key.slice(0, key.indexOf(' '));
  const type = transactionTypes.find((each) => each === space);
  if (type) return type;
  if (cash.type === 'win') return 'DEPOSIT';
  return cash.amount === 0n && promoAmount > 0n ? 'PROMOWITHDRAW' : 'WITHDRAW';
}
