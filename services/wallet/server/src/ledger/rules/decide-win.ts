// Wins: credited whatever the state of player, session, round or credit, but once per id.
import type { WinCommand } from './command.ts';
import type { Decision, OpenRefusal } from './decision.ts';
import { conflict, draftMovement, refused, repeated, stored } from './draft-movement.ts';
import {
  getSubject,
  houseAccount,
  isFinalRefusal,
  maxBalance,
  movesMoney,
  type Result,
} from './movement.ts';
import { advanceRound, findGameDifference, findRoundOf } from './round.ts';
import type { LedgerView } from './state.ts';

export function decideWin(view: LedgerView, command: WinCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) {
    const { account } = getSubject(before);
    const given = { kind: 'win', referenceHash: command.referenceHash };
    const field = findGameDifference({ ...before, account }, command, given);
    if (field !== undefined) return conflict(field);
    return before.amount === command.amount ? repeated(before) : conflict('amount');
  }
  const { balance } = view.getAccount(command.account);
  const block = findBlock(view, command);
  if (block) return refused(block, balance);
  const round = findRoundOf(view, command);
  const result = toWinResult(balance, command.amount, round?.status === 'closed');
  const movement = draftMovement(view, {
    kind: 'win',
    result,
    debitAccount: houseAccount,
    creditAccount: command.account,
    amount: command.amount,
    idHash: command.idHash,
    transactionId: command.transactionId,
    referenceHash: command.referenceHash,
    roundHash: command.round?.hash,
    roundPrevious: round?.lastSequence,
    gameId: command.gameId,
  });
  const win = movesMoney(result) ? command.amount : 0n;
  const rounds = advanceRound(round, command, { lastSequence: movement.sequence, result, win });
  return stored(movement, { bet: settle(view, command, { result, rounds }), rounds });
}

function toWinResult(balance: bigint, amount: bigint, isLate: boolean): Result {
  if (balance + amount > maxBalance) return 'balance_limit';
  if (amount === 0n) return 'recorded';
  return isLate ? 'late' : 'applied';
}

/**
 * A win that was refused for want of room settles nothing. Where the bet's own round is closed with
 * it, that says as much already, and a status would be one more row for nearly every win.
 */
function settle(
  view: LedgerView,
  command: WinCommand,
  { result, rounds }: { result: Result; rounds: Decision['rounds'] },
): Decision['bet'] {
  const { referenceHash: hash, account } = command;
  if (hash === undefined || isFinalRefusal(result)) return undefined;
  const own = view.findMovement(hash)?.roundHash;
  if (rounds?.some((round) => round.status === 'closed' && round.hash === own)) return undefined;
  return { hash, account, status: 'settled' };
}

/** What a reference says against the win; without one it is a promotion and always welcome. */
function findBlock(view: LedgerView, command: WinCommand): OpenRefusal | undefined {
  if (command.referenceHash === undefined) return undefined;
  const key = { hash: command.referenceHash, account: command.account };
  const status = view.findBet(key)?.status;
  if (status === 'rolled_back' || status === 'tombstoned') return 'bet_rolled_back';
  const bet = view.findMovement(command.referenceHash);
  // Another player's bet answers like one that was never seen.
  if (!bet || getSubject(bet).account !== command.account) return 'bet_not_found';
  return isFinalRefusal(bet.result) ? 'bet_refused' : undefined;
}
