// Answers of a workspace that are kept in memory, and forgotten when the workspace changes.
import { createCache } from '@counterfoil/kit/cache';
import { listenForWorkspaceChanges } from './workspace-changes.ts';

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
  readonly load: (workspaceId: bigint) => Promise<Value | undefined>;
  readonly maxEntries: number;
  readonly weight?: { of: (value: Value) => number; max: number };
}

export interface WorkspaceMemory {
  keep<Value>(options: KeepOptions<Value>): Kept<Value>;
  close(): Promise<void>;
}

export async function createWorkspaceMemory(options: {
  databaseUrl: string;
  onError: (error: Error) => void;
}): Promise<WorkspaceMemory> {
  const forgetters: { forget: (workspaceId: string) => void; clear: () => void }[] = [];
  /** Workspaces with a change under way in this process → until when nothing of them is kept. */
  const unsettled = new Map<bigint, number>();

  const forget = (workspaceId: bigint) => {
    for (const each of forgetters) each.forget(String(workspaceId));
  };
  const isUnsettled = (workspaceId: bigint): boolean => {
    const until = unsettled.get(workspaceId);
    if (until === undefined) return false;
    if (until > Date.now()) return true;
    unsettled.delete(workspaceId);
    return false;
  };

  const listener = await listenForWorkspaceChanges({
    databaseUrl: options.databaseUrl,
    onAnnounced: (workspaceId) => {
      unsettled.set(workspaceId, Date.now() + settleMs);
      forget(workspaceId);
    },
    onChanged: forget,
    onGap: () => {
      for (const each of forgetters) each.clear();
    },
    onError: options.onError,
  });

  return {
    keep: ({ load, ...bounds }) => {
      const cache = createCache({ ...bounds, ttlMs, load: (key) => load(BigInt(key)) });
      forgetters.push({ forget: cache.delete, clear: cache.clear });
      return {
        get: (workspaceId) =>
          isUnsettled(workspaceId) ? load(workspaceId) : cache.get(String(workspaceId)),
        peek: (workspaceId) => cache.peek(String(workspaceId)),
      };
    },
    close: () => listener.close(),
  };
}
