// Invariant I3: a refused order stays refused, and an order that was answered as not applied is not stored.
import type { Attempt, Call } from '../client/client-log.ts';
import { keyOf, type Outcome } from '../client/order.ts';
import type { Facts, JournalRow } from './facts.ts';
import { fits, groupRows, isStoredRefusal, subjectOf } from './match.ts';
import { type Violation, violation } from './violation.ts';

/**
 * Codes of refusals that are not stored. The cause of these refusals never ends, so every repeat is refused
 * again.
 */
const standing = new Set(['bet_rolled_back', 'bet_refused', 'bet_already_settled', 'transaction_conflict']);

export function checkRefused(calls: readonly Call[], facts: Facts): Violation[] {
  const rows = groupRows(facts);
  const found: Violation[] = [];
  for (const { order, attempts } of calls) {
    const key = keyOf(order);
    const row = rows.get(key)?.find((each) => fits(facts, each, order));
    const refusals = attempts.flatMap(finalRefusalOf);
    for (const flaw of new Set(refusals.flatMap((each) => compare(row, each)))) {
      found.push(violation('I3', `${key} ${flaw}`));
    }
    if (row && !isStoredRefusal(row.result) && attempts.every(saysNotApplied)) {
      found.push(violation('I3', `${key} was always answered as not applied, but is applied`));
    }
    if (row) {
      for (const flaw of checkStanding(attempts)) found.push(violation('I3', `${key} ${flaw}`));
    }
  }
  return found;
}

type Refusal = Extract<Outcome, { kind: 'refused' }>;

function compare(row: JournalRow | undefined, { code, balanceMinor }: Refusal): string[] {
  if (!row) return ['was refused finally, but is not stored'];
  if (row.result !== code) return [`was refused as ${code}, but is stored as ${row.result}`];
  const { balance } = subjectOf(row);
  return balanceMinor === undefined || balanceMinor === balance
    ? []
    : [`was refused with a balance of ${balanceMinor}, but the account had ${balance}`];
}

function finalRefusalOf({ answer }: Attempt): Refusal[] {
  const outcome = answer?.outcome;
  return outcome?.kind === 'refused' && outcome.final ? [outcome] : [];
}

const saysNotApplied = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'refused' || answer?.outcome.kind === 'turned_away';

/**
 * Finds the flaws of a stored order whose attempts were refused. It is a flaw if an attempt was refused for a
 * cause that never ends (`standing`). It is also a flaw if the last two attempts were refused, and all
 * earlier attempts had been answered before these two were sent.
 */
function checkStanding(attempts: readonly Attempt[]): string[] {
  const codes = attempts.map(openCodeOf);
  const flaws = [...new Set(codes)]
    .filter((code) => code !== undefined && standing.has(code))
    .map((code) => `was refused as ${code}, but is stored`);
  const last = attempts.slice(-2);
  const [{ sentAtMs = 0 } = {}] = last;
  const isAtRest = attempts.slice(0, -2).every((each) => (each.answeredAtMs ?? Infinity) < sentAtMs);
  if (last.length === 2 && isAtRest && last.every((each) => openCodeOf(each) !== undefined)) {
    flaws.push('was refused in its last two answers, but is stored');
  }
  return flaws;
}

function openCodeOf({ answer }: Attempt): string | undefined {
  const outcome = answer?.outcome;
  return outcome?.kind === 'refused' && !outcome.final ? outcome.code : undefined;
}
