// Permits are limited per tenant and for all tenants together.
import { expect, it } from 'vitest';
import { createPermits } from './permits.ts';

it('a tenant gets no more permits than the limit per tenant', () => {
  const permits = createPermits({ each: 2, all: 5 });
  const held = [permits.acquire(1n), permits.acquire(1n)];
  expect(held.map((free) => typeof free)).toEqual(['function', 'function']);
  expect(permits.acquire(1n)).toBeUndefined();
  expect(permits.acquire(2n)).toBeDefined();
  held[0]?.();
  expect(permits.acquire(1n)).toBeDefined();
  expect(permits.acquire(1n)).toBeUndefined();
});

it('all tenants together get no more permits than the total limit; released permits are reused', () => {
  const permits = createPermits({ each: 2, all: 3 });
  const held = [permits.acquire(1), permits.acquire(1), permits.acquire(2)];
  expect(permits.acquire(3)).toBeUndefined();
  for (const free of held) free?.();
  expect([3, 3, 4, 4].map((tenant) => permits.acquire(tenant) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
