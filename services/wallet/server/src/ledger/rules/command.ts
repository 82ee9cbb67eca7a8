// The commands that the ledger accepts.

interface Common {
  readonly idHash: string;
  readonly transactionId: string;
}

interface NotedCommon extends Common {
  readonly amount: bigint;
  readonly note: string;
  readonly noteHash: string | undefined;
}

/** A caller moves money between the package's credit and a player. */
export interface TransferCommand extends NotedCommon {
  readonly type: 'credit' | 'debit';
  readonly account: bigint;
}

/** An administrator funds the package, or reverses a funding. */
export interface TopUpCommand extends NotedCommon {
  readonly type: 'top_up' | 'top_up_reversal';
}

interface GameCommon extends Common {
  readonly account: bigint;
  readonly gameId: string | undefined;
  readonly round: { readonly hash: string; readonly id: string } | undefined;
  readonly roundFinished: boolean;
  /**
   * A second account of the player that may have a part in the same round. The parts of both accounts end
   * together: if one part is closed, the other part accepts no bets and is closed too.
   */
  readonly otherPart?: bigint | undefined;
  /**
   * A name of the transaction, in addition to its id. The batch stores which movement has this name. If an
   * earlier movement already has the name, the batch is not decided (`name_known`).
   */
  readonly nameHash?: string | undefined;
}

/**
 * The reason to refuse a new bet before the rules are applied. The repeat of a stored bet still gets its
 * first answer.
 */
export type BetBlock = 'player_blocked' | 'session_expired';

export interface BetCommand extends GameCommon {
  readonly type: 'bet';
  readonly amount: bigint;
  readonly blockedBy: BetBlock | undefined;
  /** The largest amount that the player may bet at once. */
  readonly maxStake?: bigint | undefined;
}

export interface WinCommand extends GameCommon {
  readonly type: 'win';
  readonly amount: bigint;
  /** The bet that the win refers to, hashed in the id space of bets. */
  readonly referenceHash: string | undefined;
  /**
   * Whether the win is refused if its round is unknown, closed or of a different game. By default, a win in a
   * closed round is paid and has the result `late`.
   */
  readonly needsOpenRound?: boolean;
  /** Whether a rollback can undo the win. Such a win is refused if its rollback has arrived first. */
  readonly isReversible?: boolean;
}

export interface BetWinCommand extends GameCommon {
  readonly type: 'bet_win';
  readonly betAmount: bigint;
  readonly winAmount: bigint;
  /** The hash of the id in the id space of wins. `idHash` is the hash in the id space of bets. */
  readonly winIdHash: string;
  readonly blockedBy: BetBlock | undefined;
  readonly maxStake?: bigint | undefined;
}

/**
 * The transactions that a rollback undoes: bets that are not settled (the default), all bets, or bets and
 * wins. A win is taken back as far as the balance allows.
 */
export type Undoable = 'open_bets' | 'bets' | 'any';

export interface RollbackCommand extends GameCommon {
  readonly type: 'rollback';
  readonly referenceHash: string;
  /**
   * The hash of the reference in the id space of wins. If `referenceHash` is unknown and this hash belongs to
   * a win of the same player, the rollback is refused.
   */
  readonly referenceAsWinHash: string;
  readonly undoes?: Undoable;
  /**
   * Names of the original, in addition to the reference. The original is the transaction that the rollback
   * undoes. These names are used only if the reference of the last leg is unknown. If a movement has one of
   * the names, the batch is not decided (`name_known`). If all names are unknown, a tombstone is stored for
   * the reference and another tombstone for the first name.
   */
  readonly referenceNames?: readonly string[] | undefined;
}

export interface EndRoundCommand extends GameCommon {
  readonly type: 'end_round';
  readonly round: { readonly hash: string; readonly id: string };
}

export type GameCommand = BetCommand | WinCommand | BetWinCommand | RollbackCommand | EndRoundCommand;

/** Game commands that are applied in their order. Either all of them are applied, or none. */
export interface BatchCommand {
  readonly type: 'batch';
  readonly legs: readonly GameCommand[];
  /**
   * Whether the legs are one transaction of the provider. If true, either all legs must be new or all legs
   * must be repeats.
   */
  readonly isOneTransaction?: boolean;
  /** The largest amount that all new bets of the batch together may stake. */
  readonly maxStake?: bigint | undefined;
  /**
   * The hashes of the ids and names of optional legs that the transaction does not have. If one of these
   * hashes is stored, the stored transaction has a leg that this command lacks. The command is then a
   * conflict, not a repeat.
   */
  readonly absentHashes?: readonly string[] | undefined;
  /**
   * The hash of the id of the provider's request. If the request is stored and a leg of this command is not,
   * the command is answered as a repeat and changes nothing.
   */
  readonly requestHash?: string | undefined;
}

export type Command = TransferCommand | TopUpCommand | GameCommand;

export type AnyCommand = Command | BatchCommand;

const noCommands: readonly GameCommand[] = [];

/** The game commands in a command: the legs of a batch, or the command itself. */
export function listGameCommands(command: AnyCommand): readonly GameCommand[] {
  if (command.type === 'batch') return command.legs;
  return isGameCommand(command) ? [command] : noCommands;
}

/** The player accounts that a command may change. */
export function listAccounts(command: AnyCommand): readonly bigint[] {
  if (command.type === 'batch') return command.legs.map((leg) => leg.account);
  return 'account' in command ? [command.account] : [];
}

export const isGameCommand = (command: AnyCommand): command is GameCommand =>
  command.type !== 'credit' &&
  command.type !== 'debit' &&
  command.type !== 'top_up' &&
  command.type !== 'top_up_reversal' &&
  command.type !== 'batch';
