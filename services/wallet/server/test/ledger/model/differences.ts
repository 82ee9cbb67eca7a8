// Lists the fields in which a command differs from the earlier command with the same id.
import type { Command } from '../../../src/ledger/rules/command.ts';

/** The fields of a transfer, a top-up or a callback, under their names in the API. */
function listContent(command: Command): Record<string, unknown> {
  const shared = 'account' in command ? { player_id: command.account } : {};
  if (!('round' in command)) {
    return { ...shared, type: command.type, amount: command.amount, note: command.note };
  }
  const game = {
    ...shared,
    action: command.type,
    round_id: command.round?.hash,
    game_id: command.gameId,
  };
  switch (command.type) {
    case 'bet':
      return { ...game, amount: command.amount };
    case 'win':
      return { ...game, amount: command.amount, reference_transaction_id: command.referenceHash };
    case 'bet_win':
      return { ...game, bet_amount: command.betAmount, win_amount: command.winAmount };
    case 'rollback':
      return { ...game, reference_transaction_id: command.referenceHash };
    case 'end_round':
      return game;
  }
}

/**
 * Lists the fields that differ from earlier commands with the same ids. A bet_win has two ids. If only one of
 * these ids is stored, a command with a different action has stored it, so the field `action` differs.
 */
export function listDifferences(before: readonly (Command | undefined)[], command: Command): string[] {
  const now = listContent(command);
  const fields = new Set<string>();
  for (const earlier of before) {
    if (!earlier) {
      fields.add('action');
      continue;
    }
    const then = listContent(earlier);
    for (const [name, value] of Object.entries(now)) if (then[name] !== value) fields.add(name);
  }
  // A rollback with `referenceNames` can name the transaction that it undoes in several ways. Rollbacks with
  // equal ids then undo the same transaction, even if their references differ.
  if (command.type === 'rollback' && command.referenceNames) fields.delete('reference_transaction_id');
  return [...fields];
}
