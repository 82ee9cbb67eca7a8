// One tenant cannot take the places of all, and all together cannot take more than there are.
import { expect, it } from 'vitest';
import { createPlaces } from './permits.ts';

it('a tenant has its share and no more, whatever the others leave', () => {
  const places = createPlaces({ each: 2, all: 5 });
  const held = [places.take(1n), places.take(1n)];
  expect(held.map((free) => typeof free)).toEqual(['function', 'function']);
  expect(places.take(1n)).toBeUndefined();
  expect(places.take(2n)).toBeDefined();
  held[0]?.();
  expect(places.take(1n)).toBeDefined();
  expect(places.take(1n)).toBeUndefined();
});

it('all together have an end, and what is freed is there for anyone', () => {
  const places = createPlaces({ each: 2, all: 3 });
  const held = [places.take(1), places.take(1), places.take(2)];
  expect(places.take(3)).toBeUndefined();
  for (const free of held) free?.();
  expect([3, 3, 4, 4].map((tenant) => places.take(tenant) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
