// The share of the stakes that a machine pays back, calculated over all outcomes.
import type { Machine } from './machine.ts';
import type { PickModel } from './picks.ts';
import { evaluateLine, type SlotModel } from './slot.ts';

/** The share of the stakes that a machine returns to players, in percent with two decimals. */
export function printedReturn(machine: Machine): number {
  const share = machine.kind === 'slot' ? slotReturn(machine.model) : pickReturn(machine.model);
  return Math.round(share * 10_000) / 100;
}

/**
 * A reel stops at every position with the same chance. So a symbol has the same chance in every row, and
 * every line has the same return. Counting the outcomes of one line is enough.
 */
function slotReturn(model: SlotModel): number {
  const line: number[] = [];
  const total = model.counts.reduce((product, reel) => product * sum(reel), 1);
  const visit = (reel: number, ways: number): number => {
    const counts = model.counts[reel];
    if (!counts) return ways * evaluateLine(model, line).pay;
    return sum(
      counts.map((count, symbol) => {
        line[reel] = symbol;
        return count === 0 ? 0 : visit(reel + 1, ways * count);
      }),
    );
  };
  return visit(0, 1) / total;
}

/** The return of a pick game, in which the player picks a field: the lowest return of all fields. */
function pickReturn(model: PickModel): number {
  const numbers = Array.from({ length: model.numbers }, (_, number) => number);
  const shares = model.fields.map(
    (field) => (numbers.filter(field.wins).length * field.times) / model.numbers,
  );
  return Math.min(...shares);
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
