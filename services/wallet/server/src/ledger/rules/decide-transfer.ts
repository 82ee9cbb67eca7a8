// Decides credits and debits by the caller, and top-ups by an administrator.
import type { TopUpCommand, TransferCommand } from './command.ts';
import type { Decision } from './decision.ts';
import { conflict, draftMovement, repeated, stored } from './draft-movement.ts';
import {
  cashAccountOf,
  creditAccount,
  getSubject,
  issuanceAccount,
  type Movement,
  maxBalance,
  type Result,
} from './movement.ts';
import type { LedgerView } from './state.ts';

export function decideTransfer(view: LedgerView, command: TransferCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) {
    const field = findTransferDifference(before, command);
    return field === undefined ? repeated(before) : conflict(field);
  }
  const isCredit = command.type === 'credit';
  return stored(
    draftMovement(view, {
      kind: command.type,
      result: isCredit ? toCreditResult(view, command) : toDebitResult(view, command),
      debitAccount: isCredit ? creditAccount : command.account,
      creditAccount: isCredit ? command.account : creditAccount,
      amount: command.amount,
      idHash: command.idHash,
      transactionId: command.transactionId,
      noteHash: command.noteHash,
    }),
  );
}

/** A credit to a player lowers the package's credit, at most to minus the overdraft limit. */
function toCreditResult(view: LedgerView, command: TransferCommand): Result {
  const left = view.getAccount(creditAccount).balance - command.amount;
  if (left < -view.overdraftLimit) return 'package_credit_exhausted';
  const balance = view.getAccount(command.account).balance + command.amount;
  return balance > maxBalance ? 'balance_limit' : 'applied';
}

function toDebitResult(view: LedgerView, command: TransferCommand): Result {
  if (view.getAccount(command.account).balance < command.amount) return 'insufficient_funds';
  const credit = view.getAccount(creditAccount).balance + command.amount;
  return credit > maxBalance ? 'balance_limit' : 'applied';
}

/**
 * The first field in which a repeated transfer differs from the stored one: player, purse, type, amount or
 * note.
 */
function findTransferDifference(before: Movement, command: TransferCommand): string | undefined {
  const { account } = getSubject(before);
  if (account !== command.account) {
    return cashAccountOf(account) === cashAccountOf(command.account) ? 'purse' : 'player_id';
  }
  if (before.kind !== command.type) return 'type';
  if (before.amount !== command.amount) return 'amount';
  return before.noteHash === command.noteHash ? undefined : 'note';
}

export function decideTopUp(view: LedgerView, command: TopUpCommand): Decision {
  const before = view.findMovement(command.idHash);
  if (before) {
    if (before.kind !== command.type) return conflict('type');
    if (before.amount !== command.amount) return conflict('amount');
    return before.noteHash === command.noteHash ? repeated(before) : conflict('note');
  }
  const isTopUp = command.type === 'top_up';
  return stored(
    draftMovement(view, {
      kind: command.type,
      result: toTopUpResult(view, command),
      debitAccount: isTopUp ? issuanceAccount : creditAccount,
      creditAccount: isTopUp ? creditAccount : issuanceAccount,
      amount: command.amount,
      idHash: command.idHash,
      transactionId: command.transactionId,
      noteHash: command.noteHash,
    }),
  );
}

function toTopUpResult(view: LedgerView, command: TopUpCommand): Result {
  const credit = view.getAccount(creditAccount).balance;
  if (command.type === 'top_up') {
    return credit + command.amount > maxBalance ? 'balance_limit' : 'applied';
  }
  const left = credit - command.amount;
  return left < -view.overdraftLimit ? 'package_credit_exhausted' : 'applied';
}
