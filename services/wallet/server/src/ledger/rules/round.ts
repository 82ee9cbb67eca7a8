// A round as a decision changes it: opened by its first movement, closed once and for good.
import type { GameCommand } from './command.ts';
import type { RoundState, RoundStatus } from './decision.ts';
import { isFinalRefusal, type Result } from './movement.ts';
import type { LedgerView } from './state.ts';

export function findRoundOf(view: LedgerView, command: GameCommand): RoundState | undefined {
  if (!command.round) return undefined;
  return view.findRound({ hash: command.round.hash, account: command.account });
}

/** The round after a movement of this command, as it was before; nothing where it names none. */
export function advanceRound(
  before: RoundState | undefined,
  command: GameCommand,
  change: {
    lastSequence: bigint;
    /** A refusal stands in the round's timeline and changes nothing else. */
    result: Result;
    bet?: bigint;
    win?: bigint;
  },
): RoundState[] | undefined {
  if (!command.round) return undefined;
  const isZeroBet = change.bet === 0n && !isFinalRefusal(change.result);
  const round = {
    account: command.account,
    hash: command.round.hash,
    id: command.round.id,
    gameId: before?.gameId ?? command.gameId,
    status: advanceStatus(before, command, change.result),
    betTotal: (before?.betTotal ?? 0n) + (change.bet ?? 0n),
    winTotal: (before?.winTotal ?? 0n) + (change.win ?? 0n),
    zeroBets: (before?.zeroBets ?? 0) + (isZeroBet ? 1 : 0),
    lastSequence: change.lastSequence,
  } satisfies RoundState;
  return [round];
}

function advanceStatus(
  before: RoundState | undefined,
  command: GameCommand,
  result: Result,
): RoundStatus {
  const status = before?.status ?? 'void';
  if (status === 'closed' || isFinalRefusal(result)) return status;
  if (command.type === 'end_round' || command.roundFinished) return 'closed';
  return command.type === 'rollback' ? status : 'open';
}

/** The round after one of its bets was rolled back; void if no other bet and no win counts in it. */
export function withoutBet(round: RoundState, amount: bigint): RoundState {
  const betTotal = round.betTotal - amount;
  const zeroBets = amount === 0n ? Math.max(0, round.zeroBets - 1) : round.zeroBets;
  const counts = betTotal > 0n || zeroBets > 0 || round.winTotal > 0n;
  const status = round.status === 'open' && !counts ? 'void' : round.status;
  return { ...round, betTotal, zeroBets, status };
}

/** Content of a callback beyond its amounts: action, player, round, game and reference. */
export function findGameDifference(
  before: {
    kind: string;
    account: bigint;
    roundHash: string | undefined;
    gameId: string | undefined;
    referenceHash: string | undefined;
  },
  command: GameCommand,
  given: { kind: string; referenceHash: string | undefined },
): string | undefined {
  if (before.kind !== given.kind) return 'action';
  if (before.account !== command.account) return 'player_id';
  if (before.roundHash !== command.round?.hash) return 'round_id';
  if (before.gameId !== command.gameId) return 'game_id';
  return before.referenceHash === given.referenceHash ? undefined : 'reference_transaction_id';
}
