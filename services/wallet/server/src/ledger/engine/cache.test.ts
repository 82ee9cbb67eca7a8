// The limit of the ledger's cache, and which accounts are evicted from a full cache.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeGenesisHash } from '../rules/chain.ts';
import { createLedgerCache, type LedgerCache } from './cache.ts';

const state = (balance: bigint) => ({ balance, lastSequence: 1n });

function storeHead(cache: LedgerCache, packageId: number) {
  const accounts = new Map([1n, 2n, 3n].map((id) => [id, state(id)]));
  return cache.storeHead({ packageId, sequence: 5n, hash: makeGenesisHash(packageId), accounts });
}

const create = (maxAccounts: number) => createLedgerCache({ maxAccounts, maxMovements: 4, maxGames: 4 });

const countAccounts = ({ packages }: LedgerCache) =>
  [...packages.values()].reduce((sum, { accounts }) => sum + accounts.size, 0);

describe('eviction from the cache of accounts', () => {
  it('a cache has all accounts of a batch until the batch ends, and then at most its limit', () => {
    const cache = create(10);
    const known = storeHead(cache, 1);
    for (let id = 1001n; id <= 1500n; id++) cache.storeAccount(1, id, state(id), 7);
    for (let id = 1001n; id <= 1500n; id++) expect(known.accounts.get(id)).toEqual(state(id));
    cache.evictExcess();
    expect([known.accounts.size, cache.hasRoom()]).toEqual([10, false]);
    expect(cache.packages.get(1)).toBe(known);
    for (const id of [1n, 2n, 3n]) expect(known.accounts.get(id)).toEqual(state(id));
  });

  it('accounts that orders use stay cached while other accounts are cached once and evicted', () => {
    const cache = create(200);
    const known = storeHead(cache, 1);
    const inUse = Array.from({ length: 50 }, (_, i) => BigInt(1001 + i));
    for (const id of inUse) cache.storeAccount(1, id, state(id), 0);
    for (let id = 2001n; id < 9001n; id += 10n) {
      for (let each = id; each < id + 10n; each++) cache.storeAccount(1, each, state(each), 0);
      for (const each of inUse) expect(known.accounts.get(each)).toEqual(state(each));
      cache.evictExcess();
      expect(known.accounts.size).toBeLessThanOrEqual(200);
    }
  });

  it('a package is removed if the limit leaves no room for accounts of its players', () => {
    const cache = create(7);
    for (const id of [1, 2, 3]) storeHead(cache, id);
    cache.evictExcess();
    expect([cache.packages.size, countAccounts(cache)]).toEqual([2, 6]);
  });

  it('reads add at most 10,000 accounts above the limit', () => {
    const cache = create(100);
    const known = storeHead(cache, 1);
    const read = Array.from({ length: 20_000 }, (_, i) => ({
      id: BigInt(1001 + i),
      state: state(5n),
      updatedAt: new Date(0),
    }));
    cache.storeReadAccounts(known, 1, read);
    expect(known.accounts.size).toBe(10_100);
    cache.evictExcess();
    expect(known.accounts.size).toBe(100);
  });

  it('an evicted account does not count as absent, although it was absent before it was opened', () => {
    const cache = create(3);
    const known = storeHead(cache, 1);
    cache.storeAbsent(known, 1, 1001n);
    cache.storeAccount(1, 1001n, state(8n), 0);
    cache.evictExcess();
    expect([known.accounts.has(1001n), known.absent.has(1001n)]).toEqual([false, false]);
  });

  it('for any sequence of calls, a cached account has its latest state and the limit holds', () => {
    const packageId = fc.integer({ min: 1, max: 4 });
    const account = fc.bigInt({ min: 1001n, max: 1040n });
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('head' as const), packageId, account }) },
      { weight: 12, arbitrary: fc.record({ kind: fc.constant('store' as const), packageId, account }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('invalidate' as const), packageId, account }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('evict' as const), packageId, account }) },
    );
    const steps = fc.array(step, { maxLength: 300 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 40 }), (given, limit) => {
        const cache = create(limit);
        const model = new Map<string, bigint>();
        for (const [i, { kind, packageId: id, account: key }] of given.entries()) {
          if (kind === 'head' && !cache.packages.has(id)) storeHead(cache, id);
          if (kind === 'store') cache.storeAccount(id, key, state(BigInt(i)), 0);
          if (kind === 'store') model.set(`${id}:${key}`, BigInt(i));
          if (kind === 'invalidate') cache.invalidate(id);
          if (kind !== 'evict') continue;
          cache.evictExcess();
          expect(countAccounts(cache)).toBeLessThanOrEqual(limit);
        }
        expect(cache.hasRoom()).toBe(countAccounts(cache) < limit);
        for (const [id, { accounts }] of cache.packages) {
          for (const own of [1n, 2n, 3n]) expect(accounts.get(own)).toEqual(state(own));
          for (let key = 1001n; key <= 1040n; key++) {
            const cached = accounts.get(key);
            if (cached) expect(cached.balance).toBe(model.get(`${id}:${key}`));
          }
        }
      }),
    );
  });
});
