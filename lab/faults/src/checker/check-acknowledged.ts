// Invariant I1: each acknowledged order is stored once, with the amount and balance of its answer. Invariant
// I2: the journal contains only orders that were sent.
import type { Attempt, Call } from '../client/client-log.ts';
import { keyOf, type Order, type Outcome } from '../client/order.ts';
import type { Facts, JournalRow } from './facts.ts';
import { fits, groupRows, isStoredRefusal, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

export function checkAcknowledged(calls: readonly Call[], facts: Facts): Violation[] {
  const rows = groupRows(facts);
  const found: Violation[] = [];
  const report = (detail: string) => found.push(violation('I1', detail));
  for (const [key, group] of rows) {
    if (group.length > 1) report(`${key} is stored ${group.length} times`);
  }
  for (const { order, attempts } of calls) {
    const key = keyOf(order);
    for (const flaw of checkFirsts(attempts)) report(`${key} ${flaw}`);
    const acknowledged = attempts.flatMap(({ answer }) =>
      answer?.outcome.kind === 'acknowledged' ? [answer.outcome] : [],
    );
    if (acknowledged.length === 0) continue;
    const row = rows.get(key)?.find((each) => fits(facts, each, order));
    if (!row) report(`${key} was acknowledged but is not stored`);
    else
      for (const flaw of new Set(acknowledged.flatMap((each) => compare(row, each))))
        report(`${key} ${flaw}`);
  }
  return found;
}

function compare(row: JournalRow, acknowledged: Extract<Outcome, { kind: 'acknowledged' }>): string[] {
  const { balance } = subjectOf(row);
  if (isStoredRefusal(row.result)) return [`was acknowledged, but is stored as ${row.result}`];
  const flaws: string[] = [];
  if (acknowledged.result !== undefined && acknowledged.result !== row.result) {
    flaws.push(`was answered as ${acknowledged.result}, but is stored as ${row.result}`);
  }
  if (acknowledged.balanceMinor !== balance) {
    flaws.push(`was answered with a balance of ${acknowledged.balanceMinor}, but is stored with ${balance}`);
  }
  return flaws;
}

/**
 * Checks the attempts of one order. At most one answer may mark the order as new. If an answer marks the
 * order as a repeat, an attempt that was answered as new, or whose outcome is unknown, must have been sent
 * before that answer. No attempt after that answer may be answered as new.
 */
function checkFirsts(attempts: readonly Attempt[]): string[] {
  const flaws: string[] = [];
  const firsts = attempts.filter((each) => isMarked(each, false));
  const repeats = attempts.filter((each) => isMarked(each, true));
  if (firsts.length > 1) flaws.push(`was answered as new ${firsts.length} times`);
  const mayBeFirst = [...firsts, ...attempts.filter(isUnknown)];
  const answeredAt = Math.min(...repeats.map(({ answeredAtMs = Infinity }) => answeredAtMs));
  if (repeats.length > 0 && !mayBeFirst.some(({ sentAtMs }) => sentAtMs < answeredAt)) {
    flaws.push('was answered as a repeat before any attempt could have been answered as new');
  }
  if (firsts.some(({ sentAtMs }) => sentAtMs > answeredAt)) {
    flaws.push('was answered as new after it was answered as a repeat');
  }
  return flaws;
}

function isMarked({ answer }: Attempt, duplicate: boolean): boolean {
  const outcome = answer?.outcome;
  return (outcome?.kind === 'acknowledged' || outcome?.kind === 'refused') && outcome.duplicate === duplicate;
}

const isUnknown = ({ answer }: Attempt): boolean => !answer || answer.outcome.kind === 'unknown';

export function checkNothingUnsent(calls: readonly Call[], facts: Facts): Violation[] {
  const sent = new Map<string, Order[]>();
  for (const { order } of calls) {
    const key = keyOf(order);
    sent.set(key, [...(sent.get(key) ?? []), order]);
  }
  const groups = groupRows(facts);
  const { packageId } = facts;
  const isReferenceStored = ({ reference: id }: Order) =>
    id !== undefined && groups.has(keyOf({ packageId, kind: 'bet', id }));
  return [...groups].flatMap(([key, rows]) => {
    const orders = sent.get(key);
    if (!orders) return [violation('I2', `${key} is stored but was never sent`)];
    return rows
      .filter(
        (row) =>
          !orders.some(
            // If an order refers to a stored bet, the order's row must contain that reference.
            (order) => fits(facts, row, order) && !(row.reference === '' && isReferenceStored(order)),
          ),
      )
      .map((row) => violation('I2', `${key} is stored as ${row.kind} of ${row.amount}, not as sent`));
  });
}
