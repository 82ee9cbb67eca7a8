// Decides wins. Each win is credited once, even if the player is blocked, the session has ended or the
// package has no credit. Only wins with `needsOpenRound` need an open round.
import type { WinCommand } from './command.ts';
import type { Decision, OpenRefusal } from './decision.ts';
import { conflict, draftMovement, refused, repeated, stored } from './draft-movement.ts';
import {
  getSubject,
  houseAccount,
  isBet,
  isFinalRefusal,
  maxBalance,
  movesMoney,
  type Result,
} from './movement.ts';
import { advanceRound, findGameDifference, findPartsOf, isClosed, type Parts } from './round.ts';
import type { LedgerView } from './state.ts';

export function decideWin(view: LedgerView, command: WinCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) {
    const { referenceHash } = command;
    const field = findGameDifference(before, command, { kind: 'win', referenceHash });
    if (field !== undefined) return conflict(field);
    return before.amount === command.amount ? repeated(before) : conflict('amount');
  }
  const { balance } = view.getAccount(command.account);
  const parts = findPartsOf(view, command);
  const block = findBlock(view, command) ?? findRoundBlock(command, parts);
  if (block) return refused(block, balance);
  const result = toWinResult(balance, command.amount, isClosed(parts));
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
    roundPrevious: parts.own?.lastSequence,
    gameId: command.gameId,
  });
  const win = movesMoney(result) ? command.amount : 0n;
  const rounds = advanceRound(parts, command, { lastSequence: movement.sequence, result, win });
  return stored(movement, { bet: settle(view, command, { result, rounds }), rounds });
}

function toWinResult(balance: bigint, amount: bigint, isLate: boolean): Result {
  if (balance + amount > maxBalance) return 'balance_limit';
  if (amount === 0n) return 'recorded';
  return isLate ? 'late' : 'applied';
}

/**
 * Returns the bet state that the win stores. A win that exceeds the balance limit settles no bet. If the win
 * names the round of its bet and this round is closed now, no state is stored, because the closed round
 * settles the bet. Nearly every win therefore needs no row in `bet_states`.
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

/**
 * The reason to refuse a win that needs an open round. Undefined if the win needs none or the round is open.
 */
function findRoundBlock(command: WinCommand, parts: Parts): OpenRefusal | undefined {
  if (!command.needsOpenRound) return undefined;
  if (!parts.own) return 'bet_not_found';
  if (parts.own.gameId !== command.gameId) return 'game_not_found';
  return isClosed(parts) ? 'round_closed' : undefined;
}

/**
 * The reason to refuse a win because of a tombstone or because of its referenced bet. Undefined if neither is
 * a reason to refuse the win.
 */
function findBlock(view: LedgerView, command: WinCommand): OpenRefusal | undefined {
  const { idHash, account, isReversible = false } = command;
  if (isReversible && view.findBet({ hash: idHash, account })?.status === 'tombstoned') {
    return 'bet_rolled_back';
  }
  if (command.referenceHash === undefined) return undefined;
  const key = { hash: command.referenceHash, account: command.account };
  const status = view.findBet(key)?.status;
  if (status === 'rolled_back' || status === 'tombstoned') return 'bet_rolled_back';
  const bet = view.findMovement(command.referenceHash);
  // Another player's bet is answered like an unknown bet.
  if (!bet || !isBet(bet) || getSubject(bet).account !== command.account) return 'bet_not_found';
  return isFinalRefusal(bet.result) ? 'bet_refused' : undefined;
}
