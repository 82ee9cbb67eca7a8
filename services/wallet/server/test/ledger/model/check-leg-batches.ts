// Applies a random batch of legs after a random history, and compares the answers with the naive model.
import type { Command, GameCommand } from '../../../src/ledger/rules/command.ts';
import { isGameCommand } from '../../../src/ledger/rules/command.ts';
import { decide } from '../../../src/ledger/rules/decide.ts';
import { decideBatch } from '../../../src/ledger/rules/decide-batch.ts';
import type { BatchOutcome } from '../../../src/ledger/rules/decision.ts';
import { applyDecision, createState } from '../../../src/ledger/rules/state.ts';
import { answerName, createLinks, findBalanceFault, findRoundFault, findRowFault } from './compare.ts';
import { describeCommand, makeHistory, narrowSpace, smallSpace } from './histories.ts';
import { type Answer, asBuilt, createModel } from './model.ts';
import { createRandom } from './random.ts';

/** A description of the first difference, or undefined if `decideBatch` and the model agree. */
export function findBatchFault(seed: number): string | undefined {
  const random = createRandom(seed);
  const space = random.chance(2) ? narrowSpace : smallSpace;
  const state = createState({
    packageId: 7,
    overdraftLimit: 0n,
    sequence: 0n,
    nowMs: 1,
    accounts: space.accounts.map((id) => [id, { balance: 0n, lastSequence: 0n }]),
  });
  const model = createModel(0n, asBuilt);
  const links = createLinks();
  const history = makeHistory(random, space, 8);
  for (const command of history) {
    const before = state.sequence;
    if (isGameCommand(command) && random.chance(2)) {
      const fault = findDifference({ state, model, links, legs: [command] });
      if (fault !== undefined)
        return `TEST_SEED=${seed} ${fault}\n${history.map(describeCommand).join('\n')}`;
      continue;
    }
    const decision = decide(state, command);
    findRowFault(model.apply(command), decision.movements, before, links);
    applyDecision(state, decision);
  }
  const legs = makeHistory(random, space, 4).filter(isGameCommand).slice(0, 4);
  if (legs.length === 0) return undefined;
  const fault = findDifference({ state, model, links, legs });
  const describe = (commands: readonly Command[]) => commands.map(describeCommand).join('\n');
  return fault && `TEST_SEED=${seed} ${fault}\n${describe(history)}\nbatch\n${describe(legs)}`;
}

interface Given {
  readonly state: ReturnType<typeof createState>;
  readonly model: ReturnType<typeof createModel>;
  readonly links: ReturnType<typeof createLinks>;
  readonly legs: readonly GameCommand[];
}

function findDifference({ state, model, links, legs }: Given): string | undefined {
  const before = state.sequence;
  const answers = model.applyAll(legs);
  const decision = decideBatch(state, { type: 'batch', legs });
  for (const leg of decision.legs) applyDecision(state, leg);
  const movements = decision.legs.flatMap((leg) => leg.movements);
  const { outcome } = decision;
  const last = answers.at(-1);
  const isRefused = last && !isApplied(last);
  if (outcome.kind === 'request_repeated') return 'a batch without a request is a repeated request';
  if (outcome.kind !== 'batch') {
    const word = describeRefusal(outcome);
    if (!isRefused || outcome.leg !== answers.length - 1) return `leg ${outcome.leg} is ${word}`;
    if (!refusalsOf(last).includes(word)) return `${word}, wanted ${refusalsOf(last).join(' or ')}`;
  } else if (isRefused) {
    return `wanted leg ${answers.length - 1} to be ${refusalsOf(last).join(' or ')}`;
  }
  const entries = isRefused ? [] : answers.flatMap((each) => (each.kind === 'stored' ? each.entries : []));
  return (
    findRowFault({ kind: 'stored', entries }, movements, before, links) ??
    findBalanceFault(model, state.accounts, [...state.accounts.keys()], 0n) ??
    findRoundFault(model, state.rounds.values())
  );
}

function describeRefusal(
  outcome: Extract<BatchOutcome, { kind: 'leg_conflict' | 'leg_refused' | 'name_known' }>,
): string {
  if (outcome.kind === 'name_known') return `name_known ${outcome.hash}`;
  return outcome.kind === 'leg_conflict' ? `conflict ${outcome.field}` : `refused ${outcome.code}`;
}

const refusals = ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'];

const isApplied = (answer: Answer): boolean =>
  'entries' in answer && answer.entries.every((entry) => !refusals.includes(entry.result));

/** A refusal that would be final for a single command is an open refusal in a batch. */
const refusalsOf = (answer: Answer): string[] =>
  'entries' in answer ? answer.entries.map((entry) => `refused ${entry.result}`) : answerName(answer);
