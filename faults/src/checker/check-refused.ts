// I3: what was refused stays refused, and what was said not to be applied is not.
import type { Attempt, Call } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import type { Facts } from './facts.ts';
import { fits, groupRows, isStoredRefusal } from './match.ts';
import { type Violation, violation } from './violation.ts';

/** Not stored, and yet for ever: what they rest on is never undone. */
const standing = new Set([
  'bet_rolled_back',
  'bet_refused',
  'bet_already_settled',
  'transaction_conflict',
]);

export function checkRefused(calls: readonly Call[], facts: Facts): Violation[] {
  const rows = groupRows(facts);
  const found: Violation[] = [];
  for (const { order, attempts } of calls) {
    const key = keyOf(order);
    const row = rows.get(key)?.find((each) => fits(facts, each, order));
    const refusals = new Set(attempts.flatMap(finalCodeOf));
    for (const code of refusals) {
      if (!row) found.push(violation('I3', `${key} was refused for ever, but is not stored`));
      else if (row.result !== code) {
        found.push(
          violation('I3', `${key} was refused as ${code}, but is stored as ${row.result}`),
        );
      }
    }
    if (row && !isStoredRefusal(row.result) && attempts.every(saysNotApplied)) {
      found.push(violation('I3', `${key} was never said to be applied, always not to be, but is`));
    }
    if (row) {
      for (const flaw of checkStanding(attempts)) found.push(violation('I3', `${key} ${flaw}`));
    }
  }
  return found;
}

function finalCodeOf({ answer }: Attempt): string[] {
  const outcome = answer?.outcome;
  return outcome?.kind === 'refused' && outcome.final ? [outcome.code] : [];
}

const saysNotApplied = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'refused' || answer?.outcome.kind === 'turned_away';

/** Of an order that is there: it was never refused for ever, and not twice in the end. */
function checkStanding(attempts: readonly Attempt[]): string[] {
  const codes = attempts.map(openCodeOf);
  const flaws = [...new Set(codes)]
    .filter((code) => code !== undefined && standing.has(code))
    .map((code) => `was refused as ${code}, but is there`);
  const last = attempts.slice(-2);
  const [{ sentAtMs = 0 } = {}] = last;
  const isAtRest = attempts
    .slice(0, -2)
    .every((each) => (each.answeredAtMs ?? Infinity) < sentAtMs);
  if (last.length === 2 && isAtRest && last.every((each) => openCodeOf(each) !== undefined)) {
    flaws.push('was refused twice in the end, but is there');
  }
  return flaws;
}

function openCodeOf({ answer }: Attempt): string | undefined {
  const outcome = answer?.outcome;
  return outcome?.kind === 'refused' && !outcome.final ? outcome.code : undefined;
}
