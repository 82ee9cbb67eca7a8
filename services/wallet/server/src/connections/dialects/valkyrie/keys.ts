// The keys of Valkyrie's transactions. Every transaction has a cash leg, so its cash key finds it.
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
  /** The game provider. It has no slash, so that two providers never have a key in common. */
  readonly provider: string;
  readonly transactionId: string;
  readonly betRef: string | undefined;
}

/** The provider's bet reference has priority over the transaction id, as in the document. */
const nameOf = ({ provider, transactionId, betRef }: Reference): string =>
  `${provider}/${betRef ?? transactionId}`;

export const isWithdrawal = (type: TransactionType): boolean =>
  type === 'WITHDRAW' || type === 'PROMOWITHDRAW';
export const isCancel = (type: TransactionType): boolean => type === 'CANCEL' || type === 'PROMOCANCEL';

/**
 * Withdrawals share one space, so that either cancel finds either withdrawal: Caleta may leave out the flag
 * that makes the difference. Deposits without a reference are in it too, so that their cancel is refused as
 * the cancel of something that is no withdrawal.
 */
export const betKeyOf = (reference: Reference): string => `id ${nameOf(reference)}`;

/** The key of the cash leg. */
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

/** The names under which Valkyrie sends the calls of its game providers. */
const gameProviders = ['Evolution', 'Caleta', 'Red Tiger', 'evolution', 'caleta', 'redtiger'];

/** The text is a bet reference, or a transaction id without one, perhaps as `provider/reference`. */
export function listKeysOf(text: string): string[] {
  const references = gameProviders.map((provider) => ({ provider, transactionId: text, betRef: undefined }));
  const slash = text.indexOf('/');
  const named = { provider: text.slice(0, slash), transactionId: text.slice(slash + 1), betRef: undefined };
  return [...references, ...(slash > 0 ? [named] : [])].flatMap(listKeys);
}

/** The key of the cash leg of the transaction to which a leg belongs. */
export const toCashKey = (key: string): string => (key.startsWith('promo ') ? key.slice(6) : key);

/** A withdrawal's key does not say its type; one that moves promo money only is a promo withdrawal. */
export function typeOf(cash: FoundTransaction, promoAmount: bigint): TransactionType {
  const space = cash.key.slice(0, cash.key.indexOf(' '));
  const type = transactionTypes.find((each) => each === space);
  if (type) return type;
  if (cash.type === 'win') return 'DEPOSIT';
  return cash.amount === 0n && promoAmount > 0n ? 'PROMOWITHDRAW' : 'WITHDRAW';
}
