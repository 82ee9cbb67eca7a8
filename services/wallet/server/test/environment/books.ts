// A ledger in memory for tests. It applies commands and describes each outcome in words.
import type { BatchCommand, Command, GameCommand } from '@counterfoil/wallet-server/ledger/rules/command';
import { decide } from '@counterfoil/wallet-server/ledger/rules/decide';
import { decideBatch } from '@counterfoil/wallet-server/ledger/rules/decide-batch';
import type { BatchOutcome, Decision } from '@counterfoil/wallet-server/ledger/rules/decision';
import { hashRound } from '@counterfoil/wallet-server/ledger/rules/ids';
import { getSubject } from '@counterfoil/wallet-server/ledger/rules/movement';
import { applyDecision, createState } from '@counterfoil/wallet-server/ledger/rules/state';
import { ann, bob, topUpOf, transferOf } from './command-line.ts';

interface Applied {
  readonly decision: Decision;
  /** The outcome in words: `applied`, `repeated applied`, `conflict amount`, or the code of a refusal. */
  readonly word: string;
  readonly stored: boolean;
  /** The balance that the answer contains. */
  readonly balance: bigint | undefined;
}

export interface MemoryBooks {
  apply(command: Command): Applied;
  /** Applies several commands and returns the outcome of each command in words. */
  applyAll(...commands: Command[]): string[];
  /** Applies one batch command with these legs. */
  applyBatch(...legs: GameCommand[]): AppliedBatch;
  /** Applies one batch command whose legs are one transaction of the provider. */
  applyTransaction(...legs: GameCommand[]): AppliedBatch;
  /** Applies a batch command with all its properties, such as `maxStake`. */
  applyCommand(command: Omit<BatchCommand, 'type'>): AppliedBatch;
  /** Applies one batch command that belongs to a provider's request with this hash. */
  applyRequest(requestHash: string, ...legs: GameCommand[]): AppliedBatch;
  balance(account: bigint): bigint;
  /** The status of the account's part in the round with the hash `hashRound('p', round)`. */
  roundStatus(account: bigint, round: string): string | undefined;
  betTotal(account: bigint, round: string): bigint | undefined;
}

interface AppliedBatch {
  /** The outcome of each leg in words, or the refusal of one leg, such as `leg 1 insufficient_funds`. */
  readonly words: string[];
  /** The number of rows that were written. */
  readonly stored: number;
  /** The sequences of the legs' movements. */
  readonly sequences: bigint[];
  /** The balance that a refusal contains. */
  readonly balance: bigint | undefined;
  /** The hash and the status of every record without a movement: requests, names and their tombstones. */
  readonly records: string[];
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
  const applyLegs = (legs: GameCommand[], more: Omit<BatchCommand, 'type' | 'legs'> = {}): AppliedBatch => {
    const { outcome, legs: decisions } = decideBatch(state, { type: 'batch', legs, ...more });
    for (const decision of decisions) applyDecision(state, decision);
    const records = decisions
      .filter(({ movements }) => movements.length === 0)
      .map(({ bet }) => `${bet?.status} ${bet?.hash} of ${bet?.account}`);
    const stored = decisions.flatMap((decision) => decision.movements).length;
    return { ...describeBatch(outcome), stored, records };
  };
  const findPart = (account: bigint, round: string) =>
    state.findRound({ hash: hashRound('p', round), account });
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
    applyBatch: (...legs) => applyLegs(legs),
    applyTransaction: (...legs) => applyLegs(legs, { isOneTransaction: true }),
    applyCommand: ({ legs, ...more }) => applyLegs([...legs], more),
    applyRequest: (requestHash, ...legs) => applyLegs(legs, { requestHash }),
    applyAll: (...commands) => commands.map((command) => apply(command).word),
    balance: (account) => state.getAccount(account).balance,
    roundStatus: (account, round) => findPart(account, round)?.status,
    betTotal: (account, round) => findPart(account, round)?.betTotal,
  };
}

function describeBatch(outcome: BatchOutcome): Pick<AppliedBatch, 'words' | 'sequences' | 'balance'> {
  const answer = { sequences: [], balance: undefined };
  switch (outcome.kind) {
    case 'leg_conflict':
      return { ...answer, words: [`leg ${outcome.leg} conflict ${outcome.field}`] };
    case 'request_repeated':
      return { ...answer, words: [outcome.kind] };
    case 'name_known':
      return { ...answer, words: [`leg ${outcome.leg} name_known ${outcome.hash}`] };
    case 'leg_refused':
      return { ...answer, words: [`leg ${outcome.leg} ${outcome.code}`], balance: outcome.balance };
    case 'batch':
      return {
        ...answer,
        words: outcome.legs.map(({ kind, movement }) =>
          kind === 'repeated' ? `repeated ${movement.result}` : movement.result,
        ),
        sequences: outcome.legs.map(({ movement }) => movement.sequence),
      };
  }
}
