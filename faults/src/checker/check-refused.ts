// I3: what was refused stays refused, and what was said not to be applied is not.
import type { Attempt, Call } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import type { Facts } from './facts.ts';
import { fits, groupRows, isStoredRefusal } from './match.ts';
import { type Violation, violation } from './violation.ts';

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
  }
  return found;
}

function finalCodeOf({ answer }: Attempt): string[] {
  const outcome = answer?.outcome;
  return outcome?.kind === 'refused' && outcome.final ? [outcome.code] : [];
}

const saysNotApplied = ({ answer }: Attempt): boolean =>
  answer?.outcome.kind === 'refused' || answer?.outcome.kind === 'turned_away';
