// The share of the stakes that each game returns, calculated a second time over all outcomes.
import { describe, expect, it } from 'vitest';
import { games } from '../src/games/make-games.ts';
import { drawFairly } from '../src/machines/draw.ts';
import { printedReturn } from '../src/machines/exact-return.ts';
import { listBets, machines, runMachine } from '../src/machines/machine.ts';
import { dice, roulette } from '../src/machines/picks.ts';
import { makeStrip, type SlotModel, spinSlot } from '../src/machines/slot.ts';
import { classicSlots, videoSlots } from '../src/machines/slot-models.ts';
import { product } from './product.ts';

/**
 * The payout of a line. Unlike the implementation in the machine, this second implementation tries each
 * symbol separately.
 */
function worthOf(model: SlotModel, line: readonly number[]): number {
  const worths = model.pays.map((pays, symbol) => {
    let run = 0;
    while (run < line.length && (line[run] === symbol || line[run] === 0)) run++;
    if (symbol === 0) return pays[run - 1] ?? 0;
    return line.slice(0, run).includes(symbol) ? (pays[run - 1] ?? 0) : 0;
  });
  return Math.max(...worths);
}

describe('a slot machine', () => {
  it.each([...videoSlots, ...classicSlots].map((model) => [model.name, model] as const))(
    'the return of %s, counted over all combinations of symbols on a line, equals the catalogue’s',
    (_name, model) => {
      const strips = model.counts.map(makeStrip);
      const ways = strips.map((strip) =>
        model.pays.map((_, symbol) => strip.filter((each) => each === symbol).length),
      );
      const total = strips.reduce((all, strip) => all * strip.length, 1);
      let returned = 0;
      const symbols = model.pays.map((_, symbol) => symbol);
      for (const line of product(ways.map(() => symbols))) {
        const weight = line.reduce((all, symbol, reel) => all * (ways[reel]?.[symbol] ?? 0), 1);
        if (weight > 0) returned += weight * worthOf(model, line);
      }
      const percent = (100 * returned) / total;
      expect(Math.abs(percent - printedReturn({ kind: 'slot', model }))).toBeLessThanOrEqual(0.0051);
    },
  );

  it('a slot machine divides the stake among its lines, and pays the sum of the lines’ wins', () => {
    for (const model of [...videoSlots, ...classicSlots]) {
      for (let i = 0; i < 300; i++) {
        const { grid, winMinor } = spinSlot(model, 200n, drawFairly);
        const worths = model.lines.map((path) =>
          worthOf(
            model,
            path.map((row, reel) => grid[reel]?.[row] as number),
          ),
        );
        const stake = 200 / model.lines.length;
        expect(Number(winMinor)).toBe(worths.reduce((sum, worth) => sum + worth * stake, 0));
      }
    }
  });

  it('a slot machine has each symbol on its reels as often as the model defines', () => {
    for (const counts of videoSlots.flatMap((model) => model.counts)) {
      const strip = makeStrip(counts);
      const found = counts.map((_, symbol) => strip.filter((each) => each === symbol).length);
      expect(found).toEqual([...counts]);
    }
  });
});

describe('a game in which one number is drawn', () => {
  it('every field of roulette returns 36/37 of the stakes if each number is drawn once', () => {
    for (const { id } of roulette.fields) expect(returnOf('table', id, 37)).toBeCloseTo(36 / 37, 12);
  });

  it('every field of dice returns 99/100 of the stakes if each number is drawn once', () => {
    for (const { id } of dice.fields) expect(returnOf('instant', id, 10_000)).toBeCloseTo(0.99, 12);
  });

  function returnOf(kind: 'table' | 'instant', field: string, numbers: number): number {
    let returned = 0n;
    for (let number = 0; number < numbers; number++) {
      const outcome = runMachine(machines[kind][0], { betMinor: 1000n, field, draw: () => number });
      returned += outcome?.winMinor ?? 0n;
    }
    return Number(returned) / (1000 * numbers);
  }

  it('a game in which a number is drawn has no result for a field that does not exist', () => {
    const play = { betMinor: 100n, field: 'n37', draw: drawFairly };
    expect(runMachine(machines.table[0], play)).toBeUndefined();
  });
});

it('the catalogue lists every game with the computed return of its machine', () => {
  const printed = [...games.values()].map(({ machine, rtp }) => ({ machine, rtp }));
  for (const machine of new Set(printed.map((game) => game.machine))) {
    const rtps = new Set(printed.filter((game) => game.machine === machine).map(({ rtp }) => rtp));
    expect([...rtps]).toEqual([printedReturn(machine)]);
  }
});

it('every stake can be divided by every number of lines without a remainder', () => {
  const lines = [...videoSlots, ...classicSlots].map((model) => BigInt(model.lines.length));
  for (const decimals of [0, 2, 3, 4]) {
    for (const bet of listBets(decimals)) for (const count of lines) expect(bet % count).toBe(0n);
  }
});

it('the random generator draws each number from 0 to 36 and no other number', () => {
  const drawn = new Set(Array.from({ length: 20_000 }, () => drawFairly(37)));
  expect([...drawn].sort((a, b) => a - b)).toEqual(Array.from({ length: 37 }, (_, i) => i));
});
