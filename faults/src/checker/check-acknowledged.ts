// I1: everything acknowledged is there once, with its amounts and the balance that was told.
import type { Call } from '../client/client-log.ts';
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
    const told = attempts.flatMap(({ answer }) =>
      answer?.outcome.kind === 'acknowledged' ? [answer.outcome] : [],
    );
    if (told.length === 0) continue;
    const row = rows.get(key)?.find((each) => fits(facts, each, order));
    if (!row) report(`${key} was acknowledged and is not there`);
    else
      for (const flaw of new Set(told.flatMap((each) => compare(row, each))))
        report(`${key} ${flaw}`);
    const firsts = told.filter((each) => !each.duplicate).length;
    if (firsts > 1) report(`${key} was told ${firsts} times to be new`);
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
