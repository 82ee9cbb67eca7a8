// A speaker writes the requests of a provider in one dialect, and reads the answers of the wallet to them.
import type { DialectName, ProviderRequest } from '../connections/dialects/dialect.ts';

/** A request before it is signed. A repeat is the same message with a new signature. */
export interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: string;
  /** The headers without the signature, which `sign` adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The player, session, currency and game that a request names. */
export interface Caller {
  readonly playerId: string;
  /** The token of a running game session; dialects without sessions ignore it. */
  readonly session: string;
  readonly currency: string;
  readonly gameId: string;
}

/**
 * Callers that the wallet must treat differently from the main caller of the run. If one of these callers is
 * not given, the cases about that caller are skipped.
 */
export interface OtherCallers {
  /** The player of the run with a session that has expired. */
  readonly expired?: Caller | undefined;
  /**
   * The player of the run, but with the session of a different player. The wallet must refuse this session.
   */
  readonly foreign?: Caller | undefined;
  /** A blocked player, with a session of this player if the dialect has sessions. */
  readonly blocked?: Caller | undefined;
}

/**
 * An amount in minor units, or the exact text of an amount in the request. The text may be an invalid amount.
 */
export type Amount = bigint | { readonly text: string };

export interface Move {
  readonly id: string;
  readonly round: string;
  readonly amount: Amount;
  /**
   * Additional fields of the request. An additional field replaces a field of the protocol that has the same
   * name.
   */
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface WinMove extends Move {
  /** The id of the bet that the win belongs to. */
  readonly bet: string;
}

export interface RollbackMove {
  readonly id: string;
  readonly round: string;
  /** The id of the transaction to roll back. */
  readonly of: string;
}

/**
 * The reasons for refusals. If a reason occurs in a dialect, the wallet must report the reason by a code of
 * the dialect.
 */
export type Reason =
  | 'signature'
  | 'invalid'
  | 'funds'
  | 'promo_funds'
  | 'limit'
  | 'player'
  | 'currency'
  | 'session'
  | 'expired'
  | 'blocked'
  | 'conflict'
  | 'rolled_back'
  | 'unknown_bet'
  | 'unknown_rollback'
  | 'settled';

export interface Answer {
  readonly status: number;
  readonly accepted: boolean;
  /** The dialect's code of the refusal; empty if the answer has no code. */
  readonly code: string;
  /** The text that explains a refusal. */
  readonly detail: string;
  /** The balance in minor units; undefined if the answer has no exact balance. */
  readonly balance: bigint | undefined;
  /** The id that the wallet gave to the transaction. */
  readonly id: string | undefined;
  /** The JSON object that the answer contains; undefined if the answer is not a JSON object. */
  readonly body: unknown;
}

/**
 * How a request is signed. `right`: with the right credentials. `wrong`: with wrong credentials. `missing`:
 * the request has no signature. `stale`: with an old timestamp.
 */
export type Signing = 'right' | 'wrong' | 'missing' | 'stale';

export interface Speaker {
  readonly dialect: DialectName;
  /** For each reason of a refusal, the codes that the dialect allows for it. */
  readonly codes: Readonly<Record<Reason, readonly string[]>>;
  /** The reasons for which a refusal must contain the balance. */
  readonly showsBalance: readonly Reason[];
  /**
   * Whether the wallet must accept a rollback of an unknown transaction. If false, the wallet must refuse
   * this rollback with the reason `unknown_rollback`.
   */
  readonly acceptsUnknownRollback: boolean;
  /** Texts of invalid amounts, as a request would contain them. */
  readonly badAmounts: readonly string[];
  /**
   * Amounts with more decimals than the wallet's amounts have, in the form in which a request contains them.
   */
  readonly tooFineAmounts: readonly string[];
  sign(message: Message, signing?: Signing): ProviderRequest;
  balance(caller: Caller): Message;
  bet(caller: Caller, move: Move): Message;
  win(caller: Caller, move: WinMove): Message;
  rollback(caller: Caller, move: RollbackMove): Message;
  /** Builds a request that takes a win back. The field is undefined if the dialect has no such request. */
  readonly reverseWin: ((caller: Caller, move: RollbackMove) => Message) | undefined;
  /** Builds a message whose body is this text instead of the fields of a bet. */
  malformed(caller: Caller, text: string): Message;
  read(status: number, text: string): Answer;
  /** Whether the answer has the HTTP status that the dialect requires for an answer with this content. */
  hasRightStatus(answer: Answer): boolean;
  /**
   * Whether both answers count as the same in the dialect. `present` is the balance at the time of the
   * repeat.
   */
  isSameAnswer(first: Answer, repeat: Answer, present: bigint): boolean;
}

/** The credentials of a provider by name, as `counterfoil credentials` prints them. */
export type Credentials = Readonly<Record<string, string>>;

export interface SpeakerTerms {
  readonly credentials: Credentials;
  /** The number of decimals of the wallet's amounts. */
  readonly decimals: number;
  /** A variant of the dialect, for example `caleta`; empty if there is none. */
  readonly profile: string;
}
