// How decisions change a round. A closed round is never opened again.
import type { GameCommand } from './command.ts';
import type { RoundState, RoundStatus } from './decision.ts';
import { getSubject, isFinalRefusal, type Kind, type Movement, type Result } from './movement.ts';
import type { LedgerView } from './state.ts';

/** The parts of a round that belong to the player of a command, one part for each account. */
export interface Parts {
  /** The part of the account that the command changes. */
  readonly own: RoundState | undefined;
  /** The part of the player's other account. Undefined if the command names no other account. */
  readonly other: RoundState | undefined;
}

const noParts: Parts = { own: undefined, other: undefined };

export function findPartsOf(view: LedgerView, command: GameCommand): Parts {
  const { round, account, otherPart } = command;
  if (!round) return noParts;
  const { hash } = round;
  const other = otherPart === undefined ? undefined : view.findRound({ hash, account: otherPart });
  return { own: view.findRound({ hash, account }), other };
}

export const isClosed = ({ own, other }: Parts): boolean =>
  own?.status === 'closed' || other?.status === 'closed';

interface Change {
  readonly lastSequence: bigint;
  /** The result of the movement. A final refusal is listed in the round and changes nothing else. */
  readonly result: Result;
  /** The amount of a bet. It is defined for every bet, even for a bet of 0. */
  readonly bet?: bigint;
  readonly win?: bigint;
}

/**
 * The parts of the round after a movement of this command; undefined if the command names no round. If the
 * part of the account is closed, the part of the player's other account is closed too.
 */
export function advanceRound(parts: Parts, command: GameCommand, change: Change): RoundState[] | undefined {
  if (!command.round) return undefined;
  const { own: before, other } = parts;
  const isZeroBet = change.bet === 0n && !isFinalRefusal(change.result);
  const round = {
    account: command.account,
    hash: command.round.hash,
    id: command.round.id,
    gameId: before?.gameId ?? command.gameId,
    status: advanceStatus(parts, command, change),
    betTotal: (before?.betTotal ?? 0n) + (change.bet ?? 0n),
    winTotal: (before?.winTotal ?? 0n) + (change.win ?? 0n),
    zeroBets: (before?.zeroBets ?? 0) + (isZeroBet ? 1 : 0),
    lastSequence: change.lastSequence,
  } satisfies RoundState;
  if (round.status !== 'closed' || !other || other.status === 'closed') return [round];
  return [round, { ...other, status: 'closed' }];
}

function advanceStatus(parts: Parts, command: GameCommand, { result, bet, win = 0n }: Change): RoundStatus {
  if (isClosed(parts)) return 'closed';
  const status = parts.own?.status ?? 'void';
  if (isFinalRefusal(result)) return status;
  if (command.type === 'end_round' || command.roundFinished) return 'closed';
  // A win of 0 or a rollback does not open a round, because it adds neither a bet nor an amount to the round.
  return bet !== undefined || win > 0n ? 'open' : status;
}

/**
 * The round after one of its bets was rolled back. An open round becomes void if no other bet and no win
 * counts in it.
 */
export function withoutBet(round: RoundState, amount: bigint): RoundState {
  const betTotal = round.betTotal - amount;
  const zeroBets = amount === 0n ? Math.max(0, round.zeroBets - 1) : round.zeroBets;
  return voidIfEmpty({ ...round, betTotal, zeroBets });
}

/** The round after `amount` of a win was taken back. The amount may be less than the win. */
export const withoutWin = (round: RoundState, amount: bigint): RoundState =>
  voidIfEmpty({ ...round, winTotal: round.winTotal - amount });

function voidIfEmpty(round: RoundState): RoundState {
  const counts = round.betTotal > 0n || round.zeroBets > 0 || round.winTotal > 0n;
  return round.status === 'open' && !counts ? { ...round, status: 'void' } : round;
}

/** The first field, other than an amount, in which a repeated callback differs from the stored callback. */
export function findGameDifference(
  before: Movement,
  command: GameCommand,
  given: { kind: Kind; referenceHash?: string | undefined },
): string | undefined {
  if (before.kind !== given.kind) return 'action';
  if (getSubject(before).account !== command.account) return 'player_id';
  if (before.roundHash !== command.round?.hash) return 'round_id';
  if (before.gameId !== command.gameId) return 'game_id';
  return before.referenceHash === given.referenceHash ? undefined : 'reference_transaction_id';
}
