// I1: everything acknowledged is there once, with its amounts and the balance that was told.
import type { Attempt, Call } from '../client/client-log.ts';
import { keyOf, type Outcome } from '../client/order.ts';
import type { Facts, JournalRow } from './facts.ts';
import { fits, groupRows, isStoredRefusal, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

export function checkAcknowledged(calls: readonly Call[], facts: Facts): Violation[] {
  const rows = groupRows(facts);
  const found: Violation[] = [];
  const report = (detail: string) => found.push(violation('I1', detail));
  for (const [key, group] of rows) {
    if (group.length > 1) report(`${key} is there ${group.length} times`);
  }
  for (const { order, attempts } of calls) {
    const key = keyOf(order);
    for (const flaw of checkFirsts(attempts)) report(`${key} ${flaw}`);
    const told = attempts.flatMap(({ answer }) =>
      answer?.outcome.kind === 'acknowledged' ? [answer.outcome] : [],
    );
    if (told.length === 0) continue;
    const row = rows.get(key)?.find((each) => fits(facts, each, order));
    if (!row) report(`${key} was acknowledged and is not there`);
    else
      for (const flaw of new Set(told.flatMap((each) => compare(row, each))))
        report(`${key} ${flaw}`);
  }
  return found;
}

function compare(row: JournalRow, told: Extract<Outcome, { kind: 'acknowledged' }>): string[] {
  const { balance } = subjectOf(row);
  if (isStoredRefusal(row.result)) return [`was acknowledged, but is stored as ${row.result}`];
  const flaws: string[] = [];
  if (told.result !== undefined && told.result !== row.result) {
    flaws.push(`was told as ${told.result}, but is stored as ${row.result}`);
  }
  if (told.balanceMinor !== balance) {
    flaws.push(`was told with a balance of ${told.balanceMinor}, but left ${balance}`);
  }
  return flaws;
}

/** One attempt is told that it was the first, before all others, unless its answer may be lost. */
function checkFirsts(attempts: readonly Attempt[]): string[] {
  const flaws: string[] = [];
  const firsts = attempts.filter((each) => isTold(each, false));
  const repeats = attempts.filter((each) => isTold(each, true));
  if (firsts.length > 1) flaws.push(`was told ${firsts.length} times to be new`);
  const mayBeFirst = [...firsts, ...attempts.filter(isUnknown)];
  const answeredAt = Math.min(...repeats.map(({ answeredAtMs = Infinity }) => answeredAtMs));
  if (repeats.length > 0 && !mayBeFirst.some(({ sentAtMs }) => sentAtMs < answeredAt)) {
    flaws.push('was told as a repeat before anyone could have been told that it was new');
  }
  if (firsts.some(({ sentAtMs }) => sentAtMs > answeredAt)) {
    flaws.push('was told to be new after it was told as a repeat');
  }
  return flaws;
}

function isTold({ answer }: Attempt, duplicate: boolean): boolean {
  const outcome = answer?.outcome;
  return (
    (outcome?.kind === 'acknowledged' || outcome?.kind === 'refused') &&
    outcome.duplicate === duplicate
  );
}

const isUnknown = ({ answer }: Attempt): boolean => !answer || answer.outcome.kind === 'unknown';
