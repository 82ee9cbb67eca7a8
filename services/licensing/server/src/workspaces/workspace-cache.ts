// Caches data of workspaces, and invalidates it when a workspace changes.
import { createCache } from '@counterfoil/kit/concurrency/cache';
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectSeller } from './queries.ts';
import type { Vendor } from './workspace.ts';
import { listenForWorkspaceChanges, type Topic } from './workspace-changes.ts';

/** The time limit of cached data. It bounds the age of the data if a notification is lost. */
const ttlMs = 4000;
/**
 * When this process announces a change of a workspace, the change may not be committed yet. So this process
 * does not cache the workspace for this time.
 */
const settleMs = 2000;

export interface Cached<Value> {
  get(workspaceId: bigint): Promise<Value | undefined>;
  /** Returns cached data without waiting, or undefined if the data is not cached. */
  peek(workspaceId: bigint): Value | undefined;
}

export interface CacheOptions<Value> {
  /** The kind of change that invalidates the data. */
  readonly topic: Topic;
  readonly load: (workspaceId: bigint) => Promise<Value | undefined>;
  readonly maxEntries: number;
  readonly weight?: { of: (value: Value) => number; max: number };
}

export interface WorkspaceCache {
  add<Value>(options: CacheOptions<Value>): Cached<Value>;
  close(): Promise<void>;
}

export async function createWorkspaceCache(options: {
  directUrl: string;
  onError: (error: Error) => void;
  /** A monotonic clock in milliseconds. */
  monotonicMs?: () => number;
}): Promise<WorkspaceCache> {
  const { monotonicMs = () => performance.now() } = options;
  const entries: ReturnType<typeof openEntry>['entry'][] = [];
  const about = (topic: Topic) => entries.filter((entry) => entry.topic === topic);
  const listener = await listenForWorkspaceChanges({
    directUrl: options.directUrl,
    onAnnounced: (topic, id) => {
      for (const entry of about(topic)) entry.unsettle(id);
    },
    onChanged: (topic, id) => {
      for (const entry of about(topic)) entry.invalidate(id);
    },
    onGap: () => {
      for (const entry of entries) entry.clear();
    },
    onError: options.onError,
  });
  return {
    add: (given) => {
      const { entry, cached } = openEntry(given, monotonicMs);
      entries.push(entry);
      return cached;
    },
    close: () => listener.close(),
  };
}

function openEntry<Value>({ topic, load, ...bounds }: CacheOptions<Value>, now: () => number) {
  const cache = createCache({ ...bounds, ttlMs, now, load: (key) => load(BigInt(key)) });
  /**
   * Loads the value without the cache, because shortly after a change the cache may contain an outdated
   * value. Concurrent requests share one load. The load begins after the last of these requests has arrived.
   */
  const loadAnew = createCoalescer<undefined, Value>({
    maxBatch: Number.POSITIVE_INFINITY,
    load: async (key, askers) => {
      const value = await load(BigInt(key));
      return askers.map(() => value);
    },
  });
  /**
   * The workspaces with a change that may not be committed yet. Each has the time until which its data is not
   * cached.
   */
  const unsettled = new Map<bigint, number>();
  const isUnsettled = (id: bigint): boolean => {
    const until = unsettled.get(id);
    if (until === undefined) return false;
    if (until > now()) return true;
    unsettled.delete(id);
    return false;
  };
  const invalidate = (id: bigint) => cache.delete(String(id));
  const unsettle = (id: bigint) => {
    unsettled.set(id, now() + settleMs);
    invalidate(id);
  };
  const cached: Cached<Value> = {
    get: (id) => (isUnsettled(id) ? loadAnew(String(id), undefined) : cache.get(String(id))),
    peek: (id) => cache.peek(String(id)),
  };
  return { cached, entry: { topic, invalidate, unsettle, clear: cache.clear } };
}

export interface Seller {
  readonly isSeller: boolean;
  readonly supportEnabled: boolean;
  readonly vendorClients: readonly Vendor[];
}

export type SellerFinder = Cached<Seller>;

export const createSellerFinder = (db: Queryable, workspaceCache: WorkspaceCache): SellerFinder =>
  workspaceCache.add({
    topic: 'seller',
    maxEntries: 50_000,
    load: (workspaceId) => selectSeller(db, workspaceId),
  });
