// The cache never outlives its time limit or an invalidation, and asks once for many.
import { describe, expect, it } from 'vitest';
import { createCache } from './cache.ts';

function given(ttlMs = 1000, maxEntries = 10) {
  const state = { time: 0, loads: 0, value: 'a' as string | undefined };
  const cache = createCache<string>({
    ttlMs,
    maxEntries,
    now: () => state.time,
    load: async () => {
      state.loads++;
      return state.value;
    },
  });
  return { state, cache };
}

describe('createCache', () => {
  it('loads once for concurrent callers and serves until the time limit', async () => {
    const { state, cache } = given();
    expect(await Promise.all([cache.get('k'), cache.get('k')])).toEqual(['a', 'a']);
    expect(state.loads).toBe(1);
    state.value = 'b';
    state.time = 999;
    expect(await cache.get('k')).toBe('a');
    state.time = 1000;
    expect(await cache.get('k')).toBe('b');
  });

  it('does not remember what is not there', async () => {
    const { state, cache } = given();
    state.value = undefined;
    expect(await cache.get('k')).toBeUndefined();
    state.value = 'new';
    expect(await cache.get('k')).toBe('new');
  });

  it('does not keep a load that an invalidation overtook', async () => {
    const { state, cache } = given();
    const stale = cache.get('k');
    cache.delete('k');
    state.value = 'fresh';
    expect(await stale).toBe('a');
    expect(await cache.get('k')).toBe('fresh');
  });

  it('holds no more than its bound', async () => {
    const { state, cache } = given(1000, 2);
    await cache.get('1');
    await cache.get('2');
    await cache.get('3');
    expect(state.loads).toBe(3);
    await cache.get('1');
    expect(state.loads).toBe(4);
  });
});
