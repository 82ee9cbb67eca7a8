// A cached value is served until its time limit or its deletion, and concurrent callers share one load.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  it('the cache loads a value once for concurrent callers and serves it until the time limit', async () => {
    const { state, cache } = given();
    expect(await Promise.all([cache.get('k'), cache.get('k')])).toEqual(['a', 'a']);
    expect(state.loads).toBe(1);
    state.value = 'b';
    state.time = 999;
    expect(await cache.get('k')).toBe('a');
    state.time = 1000;
    expect(await cache.get('k')).toBe('b');
  });

  it('the cache does not cache a missing value', async () => {
    const { state, cache } = given();
    state.value = undefined;
    expect(await cache.get('k')).toBeUndefined();
    state.value = 'new';
    expect(await cache.get('k')).toBe('new');
  });

  it('the cache does not cache the result of a load if its key was deleted during the load', async () => {
    const { state, cache } = given();
    const stale = cache.get('k');
    cache.delete('k');
    state.value = 'fresh';
    expect(await stale).toBe('a');
    expect(await cache.get('k')).toBe('fresh');
  });

  it('the cache evicts its oldest entry if a new entry would exceed the limit on entries', async () => {
    const { state, cache } = given(1000, 2);
    await cache.get('1');
    await cache.get('2');
    await cache.get('3');
    expect(state.loads).toBe(3);
    await cache.get('1');
    expect(state.loads).toBe(4);
  });
});

it('peek returns a cached value without loading it, until the time limit of the value', async () => {
  let time = 0;
  const cache = createCache({ ttlMs: 10, maxEntries: 5, load: async (k) => k, now: () => time });
  expect(cache.peek('a')).toBeUndefined();
  await cache.get('a');
  expect(cache.peek('a')).toBe('a');
  time = 10;
  expect(cache.peek('a')).toBeUndefined();
});

it('the cache evicts old entries at its weight limit; an entry above the limit is not stored', async () => {
  const weight = { of: (value: string) => value.length, max: 4 };
  const cache = createCache({ ttlMs: 1e6, maxEntries: 9, load: async (k) => k, weight });
  for (const key of ['aa', 'bb', 'ccc', 'ddddd']) await cache.get(key);
  expect(['aa', 'bb', 'ccc', 'ddddd'].map(cache.peek)).toEqual([undefined, undefined, 'ccc', undefined]);
});

it('a system clock that is set back does not extend the life of an entry', async () => {
  let loads = 0;
  const load = async () => `load ${++loads}`;
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const cache = createCache<string>({ ttlMs: 20, maxEntries: 10, load });
    expect(await cache.get('k')).toBe('load 1');
    vi.advanceTimersByTime(19);
    expect(await cache.get('k')).toBe('load 1');
    vi.advanceTimersByTime(1);
    vi.setSystemTime(Date.now() - 86_400_000);
    expect(await cache.get('k')).toBe('load 2');
  } finally {
    vi.useRealTimers();
  }
});

describe('an entry that is renewed in the background', () => {
  function renewing() {
    const state = {
      time: 0,
      loaded: [] as string[],
      value: 'a' as string | undefined,
      fails: false,
    };
    const cache = createCache<string>({
      ttlMs: 1000,
      maxEntries: 10,
      renew: { afterMs: 600, everyMs: 100 },
      now: () => state.time,
      load: async (key) => {
        state.loaded.push(key);
        if (state.fails) throw new Error('not now');
        return state.value;
      },
    });
    const ask = (...keys: string[]) => keys.map((key) => cache.peek(key));
    const atTime = async (time: number) => {
      state.time = time;
      await vi.advanceTimersByTimeAsync(100);
    };
    return { state, cache, ask, atTime };
  }

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('during a renewal, many reads get the old value and cause one load', async () => {
    const { state, cache, ask, atTime } = renewing();
    await cache.get('x');
    await cache.get('y');
    state.value = 'b';
    await atTime(599);
    expect(ask('x', 'y', 'x')).toEqual(['a', 'a', 'a']);
    await atTime(600);
    expect(state.loaded).toEqual(['x', 'y']);
    expect(ask('x', 'y', 'x')).toEqual(['a', 'a', 'a']);
    expect(state.loaded).toEqual(['x', 'y']);
    await atTime(700);
    expect(state.loaded).toEqual(['x', 'y', 'x', 'y']);
    expect(ask('x', 'y')).toEqual(['b', 'b']);
    await atTime(1650);
    expect(ask('x')).toEqual(['b']);
  });

  it('an entry expires if its renewal fails, and is removed if its renewal finds no value', async () => {
    const { state, cache, ask, atTime } = renewing();
    await cache.get('x');
    state.fails = true;
    await atTime(600);
    ask('x');
    await atTime(700);
    expect(ask('x')).toEqual(['a']);
    await atTime(1000);
    expect(ask('x')).toEqual([undefined]);
    state.fails = false;
    await cache.get('x');
    state.value = undefined;
    await atTime(1600);
    expect(ask('x')).toEqual(['a']);
    await atTime(1650);
    expect(ask('x')).toEqual([undefined]);
  });

  it('an entry is not renewed in the background if it expired before it was read', async () => {
    const { state, cache, ask, atTime } = renewing();
    await cache.get('x');
    await atTime(1000);
    expect(ask('x')).toEqual([undefined]);
    await cache.get('x');
    await atTime(1100);
    expect(state.loaded).toEqual(['x', 'x']);
  });

  it('an entry is not renewed after it was deleted', async () => {
    const { state, cache, ask, atTime } = renewing();
    await cache.get('x');
    state.time = 600;
    ask('x');
    cache.delete('x');
    await atTime(650);
    expect([state.loaded, ask('x')]).toEqual([['x'], [undefined]]);
  });
});
