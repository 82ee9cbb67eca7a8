// The decision about a command: the outcome that is answered, and the rows that must be written for it.
import type { FinalRefusal, Movement } from './movement.ts';

/** Refusals that are not stored: the same id may succeed later. */
export type OpenRefusal =
  | 'player_blocked'
  | 'session_expired'
  | 'bet_limit'
  | 'bet_not_found'
  | 'game_not_found'
  | 'bet_rolled_back'
  | 'bet_refused'
  | 'bet_already_settled'
  | 'round_closed'
  | 'not_a_bet';

export type SingleOutcome =
  /**
   * The movement is new and is written with this decision. The answer is built from the movement. For a
   * bet_win, `movement` is the row of the win.
   */
  | { readonly kind: 'stored'; readonly movement: Movement }
  /** An earlier command with this id had the same content, and its answer is given again. */
  | { readonly kind: 'repeated'; readonly movement: Movement }
  /** An earlier command with this id had a different value in `field`. */
  | { readonly kind: 'conflict'; readonly field: string }
  | { readonly kind: 'refused'; readonly code: OpenRefusal; readonly balance: bigint };

type AppliedLeg = Extract<SingleOutcome, { kind: 'stored' | 'repeated' }>;

/** The outcome of a batch: every leg is stored now or was stored before, or nothing is written. */
export type BatchOutcome =
  | { readonly kind: 'batch'; readonly legs: readonly AppliedLeg[] }
  | { readonly kind: 'leg_conflict'; readonly leg: number; readonly field: string }
  /** The request was stored before with other legs. The caller gets the answer that those legs got. */
  | { readonly kind: 'request_repeated' }
  /**
   * An earlier movement already has the name `hash`. The leg has this name too or, if the leg is a rollback,
   * it gives this name to the transaction that it undoes. The caller reads the movement and submits the batch
   * again with the id of the movement.
   */
  | { readonly kind: 'name_known'; readonly leg: number; readonly hash: string }
  | {
      readonly kind: 'leg_refused';
      readonly leg: number;
      readonly code: OpenRefusal | FinalRefusal;
      /** The player's balance before the batch. */
      readonly balance: bigint;
    };

export type Outcome = SingleOutcome | BatchOutcome;

/**
 * `requested` and `named` are not states of bets. `requested` is the state of a provider's request, and
 * `named` is the state of a name. Rows with these two states are under the house account.
 */
export type BetStatus = 'settled' | 'rolled_back' | 'tombstoned' | 'requested' | 'named';

export interface BetState {
  readonly hash: string;
  readonly account: bigint;
  readonly status: BetStatus;
}

/**
 * A round that is not closed is `open` or `void`. It is `open` if it has wins above zero or a bet that
 * counts. A bet counts if it was accepted and not rolled back.
 */
export type RoundStatus = 'open' | 'closed' | 'void';

export interface RoundState {
  readonly account: bigint;
  readonly hash: string;
  readonly id: string;
  readonly gameId: string | undefined;
  readonly status: RoundStatus;
  readonly betTotal: bigint;
  readonly winTotal: bigint;
  /**
   * The number of accepted bets of amount 0 that are not rolled back. Bets that old versions stored are not
   * counted.
   */
  readonly zeroBets: number;
  readonly lastSequence: bigint;
}

/** The decision about a single command. */
export interface Decision {
  readonly outcome: SingleOutcome;
  readonly movements: readonly Movement[];
  readonly bet?: BetState | undefined;
  /**
   * The changed parts of rounds. There are two or more if a rollback names a round other than the round of
   * its bet, or if the command closes the parts of both accounts of the player.
   */
  readonly rounds?: readonly RoundState[] | undefined;
}

export interface BatchDecision {
  readonly outcome: BatchOutcome;
  /**
   * The decisions of the legs that are stored now, in the order of the legs. Each decision is followed by the
   * records of its names. The record of the request is last.
   */
  readonly legs: readonly Decision[];
}
