// Decides bets, alone or with a win. A bet needs funds and is applied only once. It is refused if its
// rollback arrived first.
import type { BetCommand, BetWinCommand } from './command.ts';
import type { Decision } from './decision.ts';
import { conflict, type DraftView, draftMovement, refused, repeated, stored } from './draft-movement.ts';
import { houseAccount, type Movement, maxBalance, movesMoney, type Result } from './movement.ts';
import { advanceRound, findGameDifference, findPartsOf, isClosed, type Parts } from './round.ts';
import type { LedgerView } from './state.ts';

export function decideBet(view: LedgerView, command: BetCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) {
    const field = findGameDifference(before, command, { kind: 'bet' });
    if (field !== undefined) return conflict(field);
    return before.amount === command.amount ? repeated(before) : conflict('amount');
  }
  const parts = findPartsOf(view, command);
  const block = findBlock(view, command, parts);
  if (block) return block;
  const { balance } = view.getAccount(command.account);
  if (exceedsStake(command.amount, command.maxStake)) return refused('bet_limit', balance);
  const result = toBetResult(balance, command.amount);
  const movement = draftMovement(view, {
    kind: 'bet',
    result,
    debitAccount: command.account,
    creditAccount: houseAccount,
    amount: command.amount,
    idHash: command.idHash,
    transactionId: command.transactionId,
    roundHash: command.round?.hash,
    roundPrevious: parts.own?.lastSequence,
    gameId: command.gameId,
  });
  const bet = movesMoney(result) ? command.amount : 0n;
  const change = { lastSequence: movement.sequence, result, bet };
  return stored(movement, { rounds: advanceRound(parts, command, change) });
}

const exceedsStake = (amount: bigint, maxStake: bigint | undefined): boolean =>
  maxStake !== undefined && amount > maxStake;

const toBetResult = (balance: bigint, amount: bigint): Result => {
  if (amount === 0n) return 'recorded';
  return balance < amount ? 'insufficient_funds' : 'applied';
};

/**
 * Decides a bet_win, which has two rows: first the bet, then the win. Both are applied, or both are refused.
 */
export function decideBetWin(view: LedgerView, command: BetWinCommand): Decision {
  const before = decideRepeatedBetWin(view, command);
  if (before) return before;
  const parts = findPartsOf(view, command);
  const block = findBlock(view, command, parts);
  if (block) return block;
  const { balance } = view.getAccount(command.account);
  if (exceedsStake(command.betAmount, command.maxStake)) return refused('bet_limit', balance);
  const refusal = findBetWinRefusal(balance, command);
  const { transactionId, gameId } = command;
  const roundHash = command.round?.hash;
  const bet = draftMovement(view, {
    kind: 'bet_of_bet_win',
    result: refusal ?? (command.betAmount === 0n ? 'recorded' : 'applied'),
    debitAccount: command.account,
    creditAccount: houseAccount,
    amount: command.betAmount,
    idHash: command.idHash,
    transactionId,
    roundHash,
    roundPrevious: parts.own?.lastSequence,
    gameId,
  });
  const win = draftMovement(after(view, bet), {
    kind: 'win_of_bet_win',
    result: refusal ?? (command.winAmount === 0n ? 'recorded' : 'applied'),
    debitAccount: houseAccount,
    creditAccount: command.account,
    amount: command.winAmount,
    idHash: command.winIdHash,
    transactionId,
    roundHash,
    roundPrevious: command.round ? bet.sequence : undefined,
    gameId,
  });
  const rounds = advanceRound(parts, command, {
    lastSequence: win.sequence,
    result: win.result,
    bet: refusal ? 0n : command.betAmount,
    win: refusal ? 0n : command.winAmount,
  });
  return { outcome: { kind: 'stored', movement: win }, movements: [bet, win], rounds };
}

function decideRepeatedBetWin(view: LedgerView, command: BetWinCommand): Decision | undefined {
  const bet = view.findMovement(command.idHash);
  const win = view.findMovement(command.winIdHash);
  if (!bet && !win) return undefined;
  if (!bet || !win) return conflict('action');
  const field = findGameDifference(bet, command, { kind: 'bet_of_bet_win' });
  if (field !== undefined) return conflict(field);
  if (bet.amount !== command.betAmount) return conflict('bet_amount');
  return win.amount === command.winAmount ? repeated(win) : conflict('win_amount');
}

function findBetWinRefusal(balance: bigint, command: BetWinCommand): Result | undefined {
  if (balance < command.betAmount) return 'insufficient_funds';
  const after = balance - command.betAmount + command.winAmount;
  return after > maxBalance ? 'balance_limit' : undefined;
}

/**
 * Finds a reason to refuse a new bet, other than a low balance. A refusal for one of these reasons is not
 * stored.
 */
function findBlock(
  view: LedgerView,
  command: BetCommand | BetWinCommand,
  parts: Parts,
): Decision | undefined {
  const { balance } = view.getAccount(command.account);
  if (command.blockedBy) return refused(command.blockedBy, balance);
  if (isTombstoned(view, command)) return refused('bet_rolled_back', balance);
  return isClosed(parts) ? refused('round_closed', balance) : undefined;
}

/**
 * Whether a rollback for the same player has named the bet, by its id or by its name, before the bet arrived.
 */
function isTombstoned(view: LedgerView, { idHash, nameHash, account }: BetCommand | BetWinCommand): boolean {
  const hashes = nameHash === undefined ? [idHash] : [idHash, nameHash];
  return hashes.some((hash) => view.findBet({ hash, account })?.status === 'tombstoned');
}

/** Returns the view after `movement`, the first row of a bet_win. The second row is drafted on this view. */
function after(view: LedgerView, movement: Movement): DraftView {
  const lastSequence = movement.sequence;
  return {
    packageId: view.packageId,
    nextSequence: lastSequence + 1n,
    nowMs: view.nowMs,
    getAccount: (id) => {
      if (id === movement.debitAccount) return { balance: movement.debitBalance, lastSequence };
      if (id === movement.creditAccount) return { balance: movement.creditBalance, lastSequence };
      return view.getAccount(id);
    },
  };
}
