// Applies commands to the model in the order of the journal, and compares the answers with those that callers
// got.

import type { Receipt } from '../../../src/ledger/engine/ledger.ts';
import type { Command } from '../../../src/ledger/rules/command.ts';
import type { Movement } from '../../../src/ledger/rules/movement.ts';
import { createLinks, findBalanceFault, findOutcomeFault, findRoundFault, findRowFault } from './compare.ts';
import { describeCommand } from './histories.ts';
import { createModel, type Model, type Reading } from './model.ts';

/** One call to the ledger. Its start and end are values of a counter, not times. */
export interface Call {
  readonly command: Command;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly receipt: Receipt;
}

interface Story {
  readonly rows: readonly Movement[];
  readonly calls: readonly Call[];
  readonly overdraftLimit: bigint;
  readonly reading: Reading;
  readonly accounts: ReadonlyMap<bigint, { readonly balance: bigint }>;
  readonly rounds: readonly { account: bigint; hash: string; status: string }[];
}

/**
 * Describes all faults. The list is empty if the calls have one sequence in which every answer is correct.
 */
export function findFaults(story: Story): string[] {
  const model = createModel(story.overdraftLimit, story.reading);
  const links = createLinks();
  const writers = new Map<bigint, Call>();
  for (const call of story.calls) {
    const { outcome } = call.receipt;
    if (outcome.kind === 'stored') writers.set(outcome.movement.sequence, call);
  }
  const faults: string[] = [];
  let open = story.calls.filter((call) => call.receipt.outcome.kind !== 'stored');
  const windows = new Map(story.calls.map((call) => [call, findWindow(call, story.calls)]));
  const settle = (sequence: bigint) => {
    open = open.filter((call) => {
      const window = windows.get(call);
      if (!window || sequence < window.from || sequence > window.to) return true;
      return findOutcomeFault(model.ask(call.command), call.receipt.outcome) !== undefined;
    });
  };
  settle(0n);
  for (let at = 0; at < story.rows.length; ) {
    const rows = takeRows(story.rows, at);
    const last = rows.at(-1);
    const call = last && writers.get(last.sequence);
    if (!call || !last) return [...faults, `row ${at + 1} was written by no call`];
    const window = windows.get(call);
    if (window && last.sequence < window.from) faults.push(`row ${at + 1} was written too early`);
    const answer = model.apply(call.command);
    const fault =
      findOutcomeFault(answer, call.receipt.outcome) ??
      findRowFault(answer, rows, BigInt(at), links) ??
      findCreditFault(model, call.receipt);
    if (fault !== undefined) return [...faults, `${fault}: ${describeCommand(call.command)}`];
    at += rows.length;
    settle(BigInt(at));
  }
  for (const call of open) {
    const { outcome } = call.receipt;
    faults.push(`no point of the journal explains: ${outcome.kind} ${describeCommand(call.command)}`);
  }
  const ids = [...story.accounts.keys()];
  const fault =
    findBalanceFault(model, story.accounts, ids, story.overdraftLimit) ?? findRoundFault(model, story.rounds);
  return fault === undefined ? faults : [...faults, fault];
}

/** The rows that one command wrote: two rows for a bet_win, otherwise one row. */
function takeRows(rows: readonly Movement[], at: number): readonly Movement[] {
  const first = rows[at];
  return rows.slice(at, at + (first?.kind === 'bet_of_bet_win' ? 2 : 1));
}

function findCreditFault(model: Model, receipt: Receipt): string | undefined {
  const wanted = model.balance(1n);
  return receipt.credit === wanted ? undefined : `answered a credit of ${receipt.credit}, not ${wanted}`;
}

/**
 * The range of possible sequences of this call. Calls that were answered before this call was sent have
 * smaller sequences. Calls that were sent after its answer have larger sequences.
 */
function findWindow(call: Call, calls: readonly Call[]): { from: bigint; to: bigint } {
  let from = 0n;
  let to = BigInt(Number.MAX_SAFE_INTEGER);
  for (const other of calls) {
    const { outcome } = other.receipt;
    if (outcome.kind !== 'stored' && outcome.kind !== 'repeated') continue;
    const { sequence } = outcome.movement;
    if (other.answeredAt < call.sentAt && sequence > from) from = sequence;
    if (outcome.kind === 'stored' && other.sentAt > call.answeredAt && sequence <= to) {
      to = sequence - 1n;
    }
  }
  return { from, to };
}
