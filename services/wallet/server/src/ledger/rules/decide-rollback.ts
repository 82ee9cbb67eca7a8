// Decides ends of rounds, and rollbacks. A rollback may arrive more than once, and before its bet or win.
import type { EndRoundCommand, RollbackCommand } from './command.ts';
import type { Decision, OpenRefusal, RoundState } from './decision.ts';
import { conflict, draftMovement, refused, repeated, stored } from './draft-movement.ts';
import {
  getSubject,
  houseAccount,
  isBet,
  isFinalRefusal,
  type Movement,
  maxBalance,
  type Result,
} from './movement.ts';
import {
  advanceRound,
  findGameDifference,
  findPartsOf,
  type Parts,
  withoutBet,
  withoutWin,
} from './round.ts';
import type { LedgerView } from './state.ts';

interface Verdict {
  readonly result: Result;
  readonly amount: bigint;
  readonly status?: 'rolled_back' | 'tombstoned';
  /** Defined only if a win is taken back: the part of the win that the balance did not cover. */
  readonly shortfall?: bigint;
}

const nothing = (result: Result): Verdict => ({ result, amount: 0n });

export function decideRollback(view: LedgerView, command: RollbackCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) {
    // A rollback with further names can name its original in several ways. So a repeat may have a different
    // reference, and the references are not compared.
    const referenceHash = command.referenceNames ? before.referenceHash : command.referenceHash;
    const kind = before.kind === 'win_reversal' ? 'win_reversal' : 'rollback';
    const field = findGameDifference(before, command, { kind, referenceHash });
    return field === undefined ? repeated(before) : conflict(field);
  }
  const { balance } = view.getAccount(command.account);
  const verdict = classifyRollback(view, command, balance);
  if (typeof verdict === 'string') return refused(verdict, balance);
  const parts = findPartsOf(view, command);
  const isReversal = verdict.shortfall !== undefined;
  const movement = draftMovement(view, {
    kind: isReversal ? 'win_reversal' : 'rollback',
    result: verdict.result,
    debitAccount: isReversal ? command.account : houseAccount,
    creditAccount: isReversal ? houseAccount : command.account,
    amount: verdict.amount,
    shortfall: verdict.shortfall,
    idHash: command.idHash,
    transactionId: command.transactionId,
    referenceHash: command.referenceHash,
    roundHash: command.round?.hash,
    roundPrevious: parts.own?.lastSequence,
    gameId: command.gameId,
  });
  const { referenceHash: hash, account } = command;
  return stored(movement, {
    bet: verdict.status && { hash, account, status: verdict.status },
    rounds: advanceRounds(view, command, { parts, movement }),
  });
}

/**
 * Advances the round that the rollback names. Removes the rolled-back bet or win from the totals of its own
 * round, even if the rollback names a different round or none.
 */
function advanceRounds(
  view: LedgerView,
  command: RollbackCommand,
  { parts, movement }: { parts: Parts; movement: Movement },
): RoundState[] {
  const { sequence: lastSequence, result, amount } = movement;
  const named = advanceRound(parts, command, { lastSequence, result }) ?? [];
  if (result !== 'rolled_back') return named;
  const own = view.findMovement(command.referenceHash)?.roundHash;
  if (own === undefined) return named;
  const without = movement.kind === 'win_reversal' ? withoutWin : withoutBet;
  if (own === command.round?.hash) {
    return named.map((each) => (each.account === command.account ? without(each, amount) : each));
  }
  const other = view.findRound({ hash: own, account: command.account });
  return other ? [...named, without(other, amount)] : named;
}

function classifyRollback(
  view: LedgerView,
  command: RollbackCommand,
  balance: bigint,
): Verdict | OpenRefusal {
  // If bets and rollbacks share one space of ids, a rollback may refer to its own id. The referenced id then
  // belongs to no bet.
  if (command.referenceHash === command.idHash) return 'not_a_bet';
  const bet = view.findMovement(command.referenceHash);
  if (!bet) return classifyUnseenBet(view, command);
  // A rollback of a different player's bet gets the same answer as a rollback of an unknown bet, but stores
  // no tombstone.
  if (getSubject(bet).account !== command.account) return nothing('tombstoned');
  const isWin = bet.kind === 'win';
  if (isWin ? command.undoes !== 'any' : !isBet(bet)) return 'not_a_bet';
  if (isFinalRefusal(bet.result)) return nothing('nothing_to_roll_back');
  const status = view.findBet({ hash: command.referenceHash, account: command.account })?.status;
  if (status === 'rolled_back') return nothing('already_rolled_back');
  if (isWin) return takeBack(bet.amount, balance);
  if (!undoesSettled(command) && (status === 'settled' || isSettledOtherwise(view, bet))) {
    return 'bet_already_settled';
  }
  if (balance + bet.amount > maxBalance) return { result: 'balance_limit', amount: bet.amount };
  return { result: 'rolled_back', amount: bet.amount, status: 'rolled_back' };
}

const undoesSettled = ({ undoes = 'open_bets' }: RollbackCommand): boolean => undoes !== 'open_bets';

/** Takes back a win, but not more than the player's balance. */
function takeBack(win: bigint, balance: bigint): Verdict {
  const shortfall = win > balance ? win - balance : 0n;
  return { result: 'rolled_back', amount: win - shortfall, status: 'rolled_back', shortfall };
}

function classifyUnseenBet(view: LedgerView, command: RollbackCommand): Verdict | OpenRefusal {
  const win = view.findMovement(command.referenceAsWinHash);
  if (win && getSubject(win).account === command.account) return 'not_a_bet';
  return { ...nothing('tombstoned'), status: 'tombstoned' };
}

/**
 * Whether a bet is settled although no bet state is stored. The bet of a bet_win is settled by its win. A
 * closed round settles all its bets.
 */
function isSettledOtherwise(view: LedgerView, bet: Movement): boolean {
  if (bet.kind === 'bet_of_bet_win') return true;
  if (bet.roundHash === undefined) return false;
  const { account } = getSubject(bet);
  return view.findRound({ hash: bet.roundHash, account })?.status === 'closed';
}

/**
 * Decides the end of a round. Closing an unknown round blocks later bets in this round. A second `end_round`
 * for the same round has the same id and is answered as a repeat.
 */
export function decideEndRound(view: LedgerView, command: EndRoundCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) return repeated(before);
  const parts = findPartsOf(view, command);
  const movement = draftMovement(view, {
    kind: 'end_round',
    result: 'closed',
    debitAccount: houseAccount,
    creditAccount: command.account,
    amount: 0n,
    idHash: command.idHash,
    transactionId: command.transactionId,
    roundHash: command.round.hash,
    roundPrevious: parts.own?.lastSequence,
    gameId: command.gameId,
  });
  const change = { lastSequence: movement.sequence, result: movement.result };
  return stored(movement, { rounds: advanceRound(parts, command, change) });
}
