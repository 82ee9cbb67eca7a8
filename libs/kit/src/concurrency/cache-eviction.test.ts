// `trackOldest` returns the oldest key of a map after any sequence of inserts, deletions and clears.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trackOldest } from './cache.ts';

const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('put'), fc.nat(20)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete'), fc.nat(20)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('take'), fc.constant(0)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('clear'), fc.constant(0)) },
);

it('trackOldest returns the first key of the map after every insert, deletion and clear', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const map = new Map<number, string>();
      const oldest = trackOldest(map);
      for (const [what, key] of steps) {
        if (what === 'put') {
          map.delete(key);
          map.set(key, '');
        } else if (what === 'delete') map.delete(key);
        else if (what === 'clear') map.clear();
        else {
          const [first] = map.keys();
          const found = oldest();
          expect(found).toBe(first);
          if (found !== undefined) map.delete(found);
        }
      }
    }),
  );
});

it('trackOldest returns the oldest key after 500 times as many inserts as the map has entries', () => {
  const map = new Map<number, string>();
  const oldest = trackOldest(map);
  for (let i = 0; i < 50_000; i++) {
    map.set(i, '');
    if (map.size <= 100) continue;
    const found = oldest();
    expect(found).toBe(i - 100);
    if (found !== undefined) map.delete(found);
  }
});
