// Answers of a workspace that are kept in memory, and forgotten when the workspace changes.
import { createCache } from '@counterfoil/kit/concurrency/cache';
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectSeller } from './queries.ts';
import { listenForWorkspaceChanges, type Topic } from './workspace-changes.ts';

/** The safety net behind the word of a change, should that be lost. */
const ttlMs = 4000;
/** How long nothing is kept after a change was announced here and is still to be committed. */
const settleMs = 2000;

export interface Kept<Value> {
  get(workspaceId: bigint): Promise<Value | undefined>;
  /** What is in memory, without waiting for anything. */
  peek(workspaceId: bigint): Value | undefined;
}

export interface KeepOptions<Value> {
  /** Which changes make it stale. */
  readonly topic: Topic;
  readonly load: (workspaceId: bigint) => Promise<Value | undefined>;
  readonly maxEntries: number;
  readonly weight?: { of: (value: Value) => number; max: number };
}

export interface WorkspaceCache {
  keep<Value>(options: KeepOptions<Value>): Kept<Value>;
  close(): Promise<void>;
}

interface Keeper {
  readonly topic: Topic;
  readonly forget: (workspaceId: bigint) => void;
  readonly unsettle: (workspaceId: bigint) => void;
  readonly clear: () => void;
}

export async function createWorkspaceCache(options: {
  directUrl: string;
  onError: (error: Error) => void;
  /** A clock that is never set back, in milliseconds. */
  monotonicMs?: () => number;
}): Promise<WorkspaceCache> {
  const { monotonicMs = () => performance.now() } = options;
  const keepers: Keeper[] = [];
  const about = (topic: Topic) => keepers.filter((keeper) => keeper.topic === topic);
  const listener = await listenForWorkspaceChanges({
    directUrl: options.directUrl,
    onAnnounced: (topic, id) => {
      for (const keeper of about(topic)) keeper.unsettle(id);
    },
    onChanged: (topic, id) => {
      for (const keeper of about(topic)) keeper.forget(id);
    },
    onGap: () => {
      for (const keeper of keepers) keeper.clear();
    },
    onError: options.onError,
  });
  return {
    keep: (given) => {
      const { keeper, kept } = openKeeper(given, monotonicMs);
      keepers.push(keeper);
      return kept;
    },
    close: () => listener.close(),
  };
}

function openKeeper<Value>(
  { topic, load, ...bounds }: KeepOptions<Value>,
  now: () => number,
): {
  keeper: Keeper;
  kept: Kept<Value>;
} {
  const cache = createCache({ ...bounds, ttlMs, now, load: (key) => load(BigInt(key)) });
  /** For the while after a change: a load begun after the question, shared by who asks meanwhile. */
  const loadAnew = createCoalescer<undefined, Value>({
    maxBatch: Number.POSITIVE_INFINITY,
    load: async (key, askers) => {
      const value = await load(BigInt(key));
      return askers.map(() => value);
    },
  });
  /** Workspaces with a change under way in this process → until when nothing of them is kept. */
  const unsettled = new Map<bigint, number>();
  const isUnsettled = (id: bigint): boolean => {
    const until = unsettled.get(id);
    if (until === undefined) return false;
    if (until > now()) return true;
    unsettled.delete(id);
    return false;
  };
  const forget = (id: bigint) => cache.delete(String(id));
  return {
    keeper: {
      topic,
      forget,
      unsettle: (id) => {
        unsettled.set(id, now() + settleMs);
        forget(id);
      },
      clear: cache.clear,
    },
    kept: {
      get: (id) => (isUnsettled(id) ? loadAnew(String(id), undefined) : cache.get(String(id))),
      peek: (id) => cache.peek(String(id)),
    },
  };
}

export interface Seller {
  readonly isSeller: boolean;
  readonly supportEnabled: boolean;
}

export type SellerFinder = Kept<Seller>;

export const createSellerFinder = (db: Queryable, memory: WorkspaceCache): SellerFinder =>
  memory.keep({
    topic: 'seller',
    maxEntries: 50_000,
    load: (workspaceId) => selectSeller(db, workspaceId),
  });
