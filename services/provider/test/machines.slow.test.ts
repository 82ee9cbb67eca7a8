// The return of the classic slot machines, over all combinations of their stops.
import { expect, it } from 'vitest';
import { printedReturn } from '../src/machines/exact-return.ts';
import { spinSlot } from '../src/machines/slot.ts';
import { classicSlots } from '../src/machines/slot-models.ts';
import { product } from './product.ts';

it.each(classicSlots.map((model) => [model.name, model] as const))(
  'the return of the game %s over all combinations of stops equals the return in the catalogue',
  (_name, model) => {
    const lengths = model.counts.map((counts) => counts.reduce((a, b) => a + b, 0));
    const stops = product(lengths.map((length) => Array.from({ length }, (_, i) => i)));
    let returned = 0n;
    for (const at of stops) {
      const left = [...at];
      returned += spinSlot(model, 100n, () => left.shift() as number).winMinor;
    }
    const percent = Number((returned * 10_000n) / BigInt(stops.length)) / 10_000;
    expect(Math.abs(percent - printedReturn({ kind: 'slot', model }))).toBeLessThanOrEqual(0.0051);
  },
);
