// A row of the journal: a movement of money between two accounts, or a final refusal.

/** The package's own accounts. The account numbers of players are greater. */
export const creditAccount = 1n;
export const houseAccount = 2n;
export const issuanceAccount = 3n;
export const firstPlayerAccount = 1001n;

/**
 * The largest balance of a player or of the credit account. It has 15 digits, which every JSON parser reads
 * exactly.
 */
export const maxBalance = 10n ** 15n - 1n;

export const kinds = {
  credit: 1,
  debit: 2,
  top_up: 3,
  top_up_reversal: 4,
  bet: 5,
  win: 6,
  bet_of_bet_win: 7,
  win_of_bet_win: 8,
  rollback: 9,
  end_round: 10,
  win_reversal: 11,
} as const;
export type Kind = keyof typeof kinds;

export const results = {
  applied: 0,
  /** A bet or win of 0. It is stored, but it moves no money. */
  recorded: 1,
  /** A win in a closed round. It is credited like any other win. */
  late: 2,
  rolled_back: 3,
  already_rolled_back: 4,
  tombstoned: 5,
  nothing_to_roll_back: 6,
  closed: 7,
  insufficient_funds: 8,
  package_credit_exhausted: 9,
  balance_limit: 10,
} as const;
export type Result = keyof typeof results;

/**
 * Refusals because the funds or the package credit are too low, or because the balance would exceed its
 * limit. They are stored, so a repeat of the id gets the same refusal.
 */
export type FinalRefusal = 'insufficient_funds' | 'package_credit_exhausted' | 'balance_limit';

export const isFinalRefusal = (result: Result): result is FinalRefusal =>
  results[result] >= results.insufficient_funds;

/** Whether the row's amount went from one account to the other. */
export const movesMoney = (result: Result): boolean =>
  result === 'applied' || result === 'late' || result === 'rolled_back';

/** Returns a function that converts a stored code to its name. */
export const createDecoder = <T extends string>(codes: Record<T, number>): ((code: number) => T) => {
  const names: (T | undefined)[] = [];
  for (const [name, code] of Object.entries(codes) as [T, number][]) names[code] = name;
  return (code) => names[code] ?? unknownCode(code);
};

const unknownCode = (code: number): never => {
  throw new Error(`the journal has an unknown code ${code}`);
};

export const kindOf = createDecoder<Kind>(kinds);
export const resultOf = createDecoder<Result>(results);

/** Whether a game caused the movement, rather than a caller or an administrator. */
export const isOfGame = ({ kind }: { kind: Kind }): boolean => kinds[kind] > kinds.top_up_reversal;

/** Whether the movement is a bet, alone or with a win. */
export const isBet = ({ kind }: { kind: Kind }): boolean => kind === 'bet' || kind === 'bet_of_bet_win';

/** One row of the journal without its hash. */
export interface Movement {
  readonly packageId: number;
  readonly sequence: bigint;
  readonly previousSequence: bigint;
  readonly kind: Kind;
  readonly result: Result;
  readonly debitAccount: bigint;
  readonly creditAccount: bigint;
  readonly amount: bigint;
  readonly debitBalance: bigint;
  readonly creditBalance: bigint;
  readonly idHash: string;
  readonly transactionId: string;
  readonly createdAtMs: number;
  readonly noteHash: string | undefined;
  readonly referenceHash: string | undefined;
  readonly roundHash: string | undefined;
  readonly roundPrevious: bigint | undefined;
  readonly gameId: string | undefined;
  /** The part of a win that its reversal could not take back, because the balance was too small. */
  readonly shortfall?: bigint | undefined;
}

/**
 * The account that the movement belongs to: the account of the player or, for a top-up and its reversal, the
 * package's credit account.
 */
export function getSubject(movement: Movement): { account: bigint; balance: bigint } {
  const { debitAccount, creditAccount: credit } = movement;
  const isDebit = debitAccount >= firstPlayerAccount || (credit === issuanceAccount && credit > debitAccount);
  return isDebit
    ? { account: debitAccount, balance: movement.debitBalance }
    : { account: credit, balance: movement.creditBalance };
}

/** The amount by which the movement changed the account's balance. */
export function changeOf(movement: Movement, account: bigint): bigint {
  const moved = movesMoney(movement.result) ? movement.amount : 0n;
  if (movement.creditAccount === account) return moved;
  return movement.debitAccount === account ? -moved : 0n;
}

/**
 * A promo account has the number of the player's cash account plus this offset. All cash accounts have
 * smaller numbers than the offset.
 */
const promoOffset = 10n ** 12n;

export const promoAccountOf = (account: bigint): bigint => account + promoOffset;

export const isPromoAccount = (account: bigint): boolean => account >= promoOffset;

/** A player's money: `cash`, or `promo` for money that an operator gives away. */
export const purses = ['cash', 'promo'] as const;
export type Purse = (typeof purses)[number];

export const accountOfPurse = (account: bigint, purse: Purse): bigint =>
  purse === 'promo' ? promoAccountOf(account) : account;

/** The cash account and the promo account of a player. The promo account may not exist. */
export const accountsOfPlayer = (account: bigint): readonly bigint[] => [account, promoAccountOf(account)];

/**
 * The cash account of the player who has this cash or promo account. The cash account identifies the player.
 */
export const cashAccountOf = (account: bigint): bigint =>
  isPromoAccount(account) ? account - promoOffset : account;
