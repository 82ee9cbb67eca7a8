// A ledger in memory, which applies commands and describes each outcome in a word.
import type { Command } from '@counterfoil/wallet-server/ledger/rules/command';
import { decide } from '@counterfoil/wallet-server/ledger/rules/decide';
import type { Decision } from '@counterfoil/wallet-server/ledger/rules/decision';
import { getSubject } from '@counterfoil/wallet-server/ledger/rules/movement';
import { applyDecision, createState } from '@counterfoil/wallet-server/ledger/rules/state';
import { ann, bob, topUpOf, transferOf } from './command-line.ts';

interface Applied {
  readonly decision: Decision;
  /** `applied`, `repeated applied`, `conflict amount`, or the code of a refusal. */
  readonly word: string;
  readonly stored: boolean;
  /** The balance that the answer contains. */
  readonly balance: bigint | undefined;
}

export interface MemoryBooks {
  apply(command: Command): Applied;
  /** Applies several commands and returns their words. */
  applyAll(...commands: Command[]): string[];
  balance(account: bigint): bigint;
}

export function createBooks(given: {
  credit?: bigint;
  ann?: bigint;
  bob?: bigint;
  overdraftLimit?: bigint;
}): MemoryBooks {
  const zero = { balance: 0n, lastSequence: 0n };
  const state = createState({
    packageId: 7,
    overdraftLimit: given.overdraftLimit ?? 0n,
    sequence: 0n,
    nowMs: 1,
    accounts: [
      [ann, zero],
      [bob, zero],
    ],
  });
  const apply = (command: Command): Applied => {
    const decision = decide(state, command);
    applyDecision(state, decision);
    const { outcome } = decision;
    const stored = decision.movements.length > 0;
    if (outcome.kind === 'conflict') {
      return { decision, stored, word: `conflict ${outcome.field}`, balance: undefined };
    }
    if (outcome.kind === 'refused') {
      return { decision, stored, word: outcome.code, balance: outcome.balance };
    }
    const { result } = outcome.movement;
    const word = outcome.kind === 'repeated' ? `repeated ${result}` : result;
    return { decision, stored, word, balance: getSubject(outcome.movement).balance };
  };
  for (const [account, amount] of [
    [ann, given.ann ?? 0n],
    [bob, given.bob ?? 0n],
  ] as const) {
    if (amount === 0n) continue;
    apply(topUpOf('top_up', { id: `given ${account}`, amount }));
    apply(transferOf('credit', { id: `given ${account}`, account, amount }));
  }
  if (given.credit) apply(topUpOf('top_up', { id: 'given', amount: given.credit }));
  return {
    apply,
    applyAll: (...commands) => commands.map((command) => apply(command).word),
    balance: (account) => state.getAccount(account).balance,
  };
}
