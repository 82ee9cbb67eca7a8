// The ledger's rules: the decision about a command, given the state. No I/O, no clock, no randomness.
import type { Command } from './command.ts';
import { decideBet, decideBetWin } from './decide-bet.ts';
import { decideEndRound, decideRollback } from './decide-rollback.ts';
import { decideTopUp, decideTransfer } from './decide-transfer.ts';
import { decideWin } from './decide-win.ts';
import type { Decision } from './decision.ts';
import type { LedgerView } from './state.ts';

export function decide(view: LedgerView, command: Command): Decision {
  switch (command.type) {
    case 'credit':
    case 'debit':
      return decideTransfer(view, command);
    case 'top_up':
    case 'top_up_reversal':
      return decideTopUp(view, command);
    case 'bet':
      return decideBet(view, command);
    case 'win':
      return decideWin(view, command);
    case 'bet_win':
      return decideBetWin(view, command);
    case 'rollback':
      return decideRollback(view, command);
    case 'end_round':
      return decideEndRound(view, command);
  }
}
