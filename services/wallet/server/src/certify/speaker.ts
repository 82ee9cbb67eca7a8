// A speaker writes the requests of a provider in one dialect, and reads the answers of the wallet to them.
import type { DialectName, ProviderRequest } from '../connections/dialects/dialect.ts';

/** A request before it is signed. A repeat is the same message with a new signature. */
export interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: string;
  /** Without the signature. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The facts that all requests of a run have in common. */
export interface Caller {
  readonly playerId: string;
  /** The token of a running game session; dialects without sessions ignore it. */
  readonly session: string;
  readonly currency: string;
  readonly gameId: string;
}

/** Callers that a wallet treats differently. Cases that need one of them are skipped without it. */
export interface OtherCallers {
  /** The same player with a session that has expired. */
  readonly expired?: Caller | undefined;
  /** The same player with a running session of another player. */
  readonly foreign?: Caller | undefined;
  /** A blocked player, with a session of this player if the dialect has sessions. */
  readonly blocked?: Caller | undefined;
}

/** Minor units, or the text that stands in the request, which may be invalid. */
export type Amount = bigint | { readonly text: string };

export interface Move {
  readonly id: string;
  readonly round: string;
  readonly amount: Amount;
  /** Fields that the protocol does not know, or that replace others. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface WinMove extends Move {
  /** The id of the bet. */
  readonly bet: string;
}

export interface RollbackMove {
  readonly id: string;
  readonly round: string;
  /** The id of the transaction to roll back. */
  readonly of: string;
}

/** Reasons of a refusal that every wallet must be able to name in the dialect, if they occur there. */
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
  /** The dialect's code of a refusal; empty if there is none. */
  readonly code: string;
  /** The text that explains a refusal. */
  readonly detail: string;
  /** In minor units; undefined if the answer has no exact balance. */
  readonly balance: bigint | undefined;
  /** The wallet's id of the transaction. */
  readonly id: string | undefined;
  /** The JSON value; undefined if the answer is not JSON. */
  readonly body: unknown;
}

/** `wrong` signs with other credentials, `missing` sends no signature, `stale` signs for a time long ago. */
export type Signing = 'right' | 'wrong' | 'missing' | 'stale';

export interface Speaker {
  readonly dialect: DialectName;
  /** Codes with which a wallet may refuse. */
  readonly codes: Readonly<Record<Reason, readonly string[]>>;
  /** Reasons of refusals that must contain the balance. */
  readonly showsBalance: readonly Reason[];
  /** Whether a rollback of an unknown transaction is accepted, or refused as `unknown_rollback`. */
  readonly acceptsUnknownRollback: boolean;
  /** Invalid amounts as they stand in a request. */
  readonly badAmounts: readonly string[];
  /** Amounts that are finer than the wallet's decimals, as they stand in a request. */
  readonly tooFineAmounts: readonly string[];
  sign(message: Message, signing?: Signing): ProviderRequest;
  balance(caller: Caller): Message;
  bet(caller: Caller, move: Move): Message;
  win(caller: Caller, move: WinMove): Message;
  rollback(caller: Caller, move: RollbackMove): Message;
  /** Takes a win back; undefined if the dialect cannot do this. */
  readonly reverseWin: ((caller: Caller, move: RollbackMove) => Message) | undefined;
  /** A message with this text instead of the fields of a bet. */
  malformed(caller: Caller, text: string): Message;
  read(status: number, text: string): Answer;
  /** Whether the answer's HTTP status is the dialect's for its content. */
  hasRightStatus(answer: Answer): boolean;
  /** `present` is the balance at the time of the repeat. */
  isSameAnswer(first: Answer, repeat: Answer, present: bigint): boolean;
}

/** The credentials of a provider by name, as `counterfoil credentials` prints them. */
export type Credentials = Readonly<Record<string, string>>;

export interface SpeakerTerms {
  readonly credentials: Credentials;
  /** The decimals of the wallet's amounts. */
  readonly decimals: number;
  /** A variant of the dialect; empty if there is none. */
  readonly profile: string;
}
