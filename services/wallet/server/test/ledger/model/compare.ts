// Runs a history through `decide` and the model, and describes the first difference.
import type { Command } from '../../../src/ledger/rules/command.ts';
import { decide } from '../../../src/ledger/rules/decide.ts';
import type { Movement } from '../../../src/ledger/rules/movement.ts';
import { applyDecision, createState } from '../../../src/ledger/rules/state.ts';
import { type Answer, createModel, type Model, type Reading } from './model.ts';

const players = (commands: readonly Command[]): bigint[] => [
  ...new Set(commands.flatMap((command) => ('account' in command ? [command.account] : []))),
];

export const answerName = (answer: Answer): string[] => {
  if (answer.kind === 'conflict') return answer.fields.map((field) => `conflict ${field}`);
  if (answer.kind === 'refused') return answer.codes.map((code) => `refused ${code}`);
  if (answer.kind === 'name_known') return [`name_known ${answer.hash}`];
  return answer.entries.map((entry) => `${answer.kind} ${entry.command.type} ${entry.result}`);
};

/** A description of the first difference, or undefined if `decide` and the model agree. */
export function findFault(
  commands: readonly Command[],
  overdraftLimit: bigint,
  reading: Reading,
  onAnswer: (answer: Answer) => void = () => {},
): string | undefined {
  const accounts = players(commands);
  const state = createState({
    packageId: 7,
    overdraftLimit,
    sequence: 0n,
    nowMs: 1,
    accounts: accounts.map((id) => [id, { balance: 0n, lastSequence: 0n }]),
  });
  const model = createModel(overdraftLimit, reading);
  const links = createLinks();
  for (const [i, command] of commands.entries()) {
    const balanceBefore = model.balance('account' in command ? command.account : 1n);
    const answer = model.apply(command);
    onAnswer(answer);
    const decision = decide(state, command);
    const before = state.sequence;
    applyDecision(state, decision);
    const fault =
      findOutcomeFault(answer, decision.outcome, balanceBefore) ??
      findRowFault(answer, decision.movements, before, links) ??
      findBalanceFault(model, state.accounts, [1n, 2n, 3n, ...accounts], overdraftLimit) ??
      findRoundFault(model, state.rounds.values());
    if (fault !== undefined) return `command ${i} (${command.type}): ${fault}`;
  }
  return undefined;
}

type Outcome = ReturnType<typeof decide>['outcome'];

function describeOutcome(outcome: Outcome): string {
  if (outcome.kind === 'conflict') return `conflict ${outcome.field}`;
  if (outcome.kind === 'refused') return `refused ${outcome.code}`;
  const { kind, result, amount } = outcome.movement;
  return `${outcome.kind} ${kind} ${result} ${amount}`;
}

export function findOutcomeFault(
  answer: Answer,
  outcome: Outcome,
  balanceBefore?: bigint,
): string | undefined {
  const wanted = () => `wanted ${answerName(answer).join(' or ')}`;
  if (answer.kind !== outcome.kind) return `${wanted()}, got ${describeOutcome(outcome)}`;
  if (outcome.kind === 'conflict') {
    const isNamed = answer.kind === 'conflict' && answer.fields.includes(outcome.field);
    return isNamed ? undefined : `${wanted()}, got ${describeOutcome(outcome)}`;
  }
  if (outcome.kind === 'refused') {
    const isNamed = answer.kind === 'refused' && answer.codes.includes(outcome.code);
    if (!isNamed) return `${wanted()}, got ${describeOutcome(outcome)}`;
    if (balanceBefore === undefined || outcome.balance === balanceBefore) return undefined;
    return `wanted a balance of ${balanceBefore}, got ${outcome.balance}`;
  }
  const last = 'entries' in answer ? answer.entries.at(-1) : undefined;
  const { result, idHash, amount } = outcome.movement;
  const isSame = last?.result === result && last.idHash === idHash && last.amount === amount;
  return isSame ? undefined : `${wanted()}, got ${describeOutcome(outcome)}`;
}

interface Links {
  readonly players: Map<bigint, bigint>;
  readonly rounds: Map<string, bigint>;
  readonly balances: Map<bigint, bigint>;
}

export const createLinks = (): Links => ({
  players: new Map(),
  rounds: new Map(),
  balances: new Map(),
});

/**
 * Checks that the rows have no gap, contain the balances after each movement, and point to the previous rows.
 */
export function findRowFault(
  answer: Answer,
  rows: readonly Movement[],
  before: bigint,
  links: Links,
): string | undefined {
  const entries = answer.kind === 'stored' ? answer.entries : [];
  if (rows.length !== entries.length) return `wanted ${entries.length} rows, got ${rows.length}`;
  for (const [i, row] of rows.entries()) {
    const entry = entries[i];
    if (row.sequence !== before + 1n + BigInt(i)) return `row ${row.sequence} leaves a gap`;
    if (row.debitAccount !== entry?.from || row.creditAccount !== entry.to) return 'wrong accounts';
    if (row.result !== entry.result) return `row ${i} is ${row.result}, wanted ${entry.result}`;
    if (row.shortfall !== entry.shortfall) {
      return `row ${i} has a shortfall of ${row.shortfall}, wanted ${entry.shortfall}`;
    }
    const fault = followLinks(row, links);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function followLinks(row: Movement, links: Links): string | undefined {
  const moved = ['applied', 'late', 'rolled_back'].includes(row.result) ? row.amount : 0n;
  const debit = (links.balances.get(row.debitAccount) ?? 0n) - moved;
  const credit = (links.balances.get(row.creditAccount) ?? 0n) + moved;
  if (row.debitBalance !== debit) return `debit balance ${row.debitBalance}, wanted ${debit}`;
  if (row.creditBalance !== credit) return `credit balance ${row.creditBalance}, wanted ${credit}`;
  links.balances.set(row.debitAccount, debit);
  links.balances.set(row.creditAccount, credit);
  const player = [row.debitAccount, row.creditAccount].find((id) => id > 1000n);
  const previous = player === undefined ? 0n : (links.players.get(player) ?? 0n);
  if (row.previousSequence !== previous) {
    return `row ${row.sequence} points to ${row.previousSequence}, wanted ${previous}`;
  }
  if (player !== undefined) links.players.set(player, row.sequence);
  if (row.roundHash === undefined) {
    return row.roundPrevious === undefined ? undefined : 'a row outside rounds points into one';
  }
  const key = `${row.roundHash} ${player}`;
  if (row.roundPrevious !== links.rounds.get(key)) {
    return `row ${row.sequence} points to ${row.roundPrevious} in its round, wanted ${links.rounds.get(key)}`;
  }
  links.rounds.set(key, row.sequence);
  return undefined;
}

export function findBalanceFault(
  model: Model,
  accounts: ReadonlyMap<bigint, { readonly balance: bigint }>,
  ids: readonly bigint[],
  overdraftLimit: bigint,
): string | undefined {
  let sum = 0n;
  for (const id of ids) {
    const { balance } = accounts.get(id) ?? { balance: 0n };
    sum += balance;
    const wanted = model.balance(id);
    if (balance !== wanted) return `account ${id} holds ${balance}, not ${wanted}`;
    const floor = id === 1n ? -overdraftLimit : 0n;
    const isBound = id === 1n || id > 1000n;
    if (isBound && (balance < floor || balance > 999_999_999_999_999n)) {
      return `account ${id} holds ${balance}`;
    }
  }
  return sum === 0n ? undefined : `the accounts sum to ${sum}`;
}

export function findRoundFault(
  model: Model,
  rounds: Iterable<{ account: bigint; hash: string; status: string }>,
): string | undefined {
  for (const round of rounds) {
    const wanted = model.roundStatus(round);
    if (round.status !== wanted) {
      return `round ${round.hash} of ${round.account} is ${round.status}, wanted ${wanted}`;
    }
  }
  return undefined;
}

/** Shortens the history: removes each command that is not needed to cause the difference. */
export function shrink(commands: readonly Command[], isWrong: (rest: Command[]) => boolean): Command[] {
  let best = [...commands];
  for (let i = best.length - 1; i >= 0; i--) {
    const rest = best.filter((_, at) => at !== i);
    if (isWrong(rest)) best = rest;
  }
  return best;
}
