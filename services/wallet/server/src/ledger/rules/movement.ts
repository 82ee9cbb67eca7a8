// What the journal holds: movements of money between two accounts, and refusals that are final.

/** The package's own accounts; players are numbered above them, so the greater one is the player. */
export const creditAccount = 1n;
export const houseAccount = 2n;
export const issuanceAccount = 3n;
export const firstPlayerAccount = 1001n;

/** No player and no credit account may hold more: 15 digits survive every JSON parser. */
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
} as const;
export type Kind = keyof typeof kinds;

export const results = {
  applied: 0,
  /** A bet or win of zero: remembered, moves nothing. */
  recorded: 1,
  /** A win on a closed round: credited all the same. */
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

/** Refusals for want of money, credit or room: stored, and final for their id. */
export type FinalRefusal = 'insufficient_funds' | 'package_credit_exhausted' | 'balance_limit';

export const isFinalRefusal = (result: Result): result is FinalRefusal =>
  results[result] >= results.insufficient_funds;

/** Whether the row's amount really went from one account to the other. */
export const movesMoney = (result: Result): boolean =>
  result === 'applied' || result === 'late' || result === 'rolled_back';

/** Names by code; the codes are small and without gaps that matter. */
const listNames = <T extends string>(table: Record<T, number>): (T | undefined)[] => {
  const names: (T | undefined)[] = [];
  for (const [name, code] of Object.entries(table) as [T, number][]) names[code] = name;
  return names;
};

const kindNames = listNames<Kind>(kinds);
const resultNames = listNames<Result>(results);

const unknownCode = (code: number): never => {
  throw new Error(`the journal holds an unknown code ${code}`);
};

export const kindOf = (code: number): Kind => kindNames[code] ?? unknownCode(code);
export const resultOf = (code: number): Result => resultNames[code] ?? unknownCode(code);

/** Whether a game moved it, and not a caller or an administrator. */
export const isOfGame = ({ kind }: { kind: Kind }): boolean => kinds[kind] > kinds.top_up_reversal;

/** One row of the journal without its place in the hash chain. */
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
}

/** The account that the movement is about: the player, or the package's credit for a top-up. */
export function getSubject(movement: Movement): { account: bigint; balance: bigint } {
  const { debitAccount, creditAccount: credit } = movement;
  const isDebit =
    debitAccount >= firstPlayerAccount || (credit === issuanceAccount && credit > debitAccount);
  return isDebit
    ? { account: debitAccount, balance: movement.debitBalance }
    : { account: credit, balance: movement.creditBalance };
}
