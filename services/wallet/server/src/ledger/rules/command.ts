// What may be asked of the ledger.

interface Common {
  readonly idHash: string;
  readonly transactionId: string;
}

/** A caller moves money between the package's credit and a player. */
export interface TransferCommand extends Common {
  readonly type: 'credit' | 'debit';
  readonly account: bigint;
  readonly amount: bigint;
  readonly note: string;
  readonly noteHash: string | undefined;
}

/** An administrator funds the package, or takes funding back. */
export interface TopUpCommand extends Common {
  readonly type: 'top_up' | 'top_up_reversal';
  readonly amount: bigint;
  readonly note: string;
  readonly noteHash: string | undefined;
}

interface GameCommon extends Common {
  readonly account: bigint;
  readonly gameId: string | undefined;
  readonly round: { readonly hash: string; readonly id: string } | undefined;
  readonly roundFinished: boolean;
}

/** Why a new bet is not taken, found out before the ledger; a repeat of an old bet still answers. */
export type BetBlock = 'player_blocked' | 'session_expired';

export interface BetCommand extends GameCommon {
  readonly type: 'bet';
  readonly amount: bigint;
  readonly blockedBy: BetBlock | undefined;
}

export interface WinCommand extends GameCommon {
  readonly type: 'win';
  readonly amount: bigint;
  /** The bet referred to, hashed in the space of bets. */
  readonly referenceHash: string | undefined;
}

export interface BetWinCommand extends GameCommon {
  readonly type: 'bet_win';
  readonly betAmount: bigint;
  readonly winAmount: bigint;
  /** The id in the space of wins; `idHash` is the one in the space of bets. */
  readonly winIdHash: string;
  readonly blockedBy: BetBlock | undefined;
}

export interface RollbackCommand extends GameCommon {
  readonly type: 'rollback';
  readonly referenceHash: string;
  /** The same text hashed in the space of wins: rolling back a win is a mistake worth naming. */
  readonly referenceAsWinHash: string;
}

export interface EndRoundCommand extends GameCommon {
  readonly type: 'end_round';
  readonly round: { readonly hash: string; readonly id: string };
}

export type GameCommand =
  | BetCommand
  | WinCommand
  | BetWinCommand
  | RollbackCommand
  | EndRoundCommand;

export type Command = TransferCommand | TopUpCommand | GameCommand;

export const isGameCommand = (command: Command): command is GameCommand =>
  command.type !== 'credit' &&
  command.type !== 'debit' &&
  command.type !== 'top_up' &&
  command.type !== 'top_up_reversal';
