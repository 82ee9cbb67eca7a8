// Finds an API key by its text, and caches it. A change by any process takes effect here within 5 s.
import { createCache, trackOldest } from '@counterfoil/kit/concurrency/cache';
import { hashSecret, type MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db, Queryable } from '@counterfoil/kit/postgres/db';
import { listen, notify } from '@counterfoil/kit/postgres/notifications';
import type { ApiKey } from './api-key.ts';
import { selectApiKeyByHash } from './queries.ts';

const channel = 'api_keys';
/**
 * A revocation must take effect within 5 s even if its notification is lost, so cached keys expire earlier.
 */
const ttlMs = 4000;
const maxEntries = 10_000;

export interface ApiKeyFinder {
  find(secret: string): Promise<ApiKey | undefined>;
  /** Returns a cached key without waiting, or undefined if the key is not cached. */
  peek(secret: string): ApiKey | undefined;
  close(): Promise<void>;
}

export async function createApiKeyFinder(options: {
  db: Db;
  directUrl: string;
  masterKey: MasterKey;
  onError: (error: Error) => void;
  /** A monotonic clock in milliseconds. */
  monotonicMs?: () => number;
}): Promise<ApiKeyFinder> {
  const { monotonicMs = () => performance.now() } = options;
  const cache = createCache<ApiKey>({
    ttlMs,
    maxEntries,
    now: monotonicMs,
    load: (hash) => selectApiKeyByHash(options.db, Buffer.from(hash, 'base64')),
  });
  const listener = await listen({
    url: options.directUrl,
    channel,
    onMessage: (hash) => cache.delete(hash),
    onGap: () => cache.clear(),
    onError: options.onError,
  });
  /** The hashes of known keys, so that the hash of a key is computed only once. */
  const hashes = new Map<string, string>();
  const findOldest = trackOldest(hashes);
  return {
    find: async (secret) => {
      const hash = hashSecret(options.masterKey, secret).toString('base64');
      const key = await cache.get(hash);
      if (key && hashes.size >= maxEntries) hashes.delete(findOldest() ?? secret);
      if (key) hashes.set(secret, hash);
      return key;
    },
    peek: (secret) => {
      const hash = hashes.get(secret);
      return hash === undefined ? undefined : cache.peek(hash);
    },
    close: () => listener.close(),
  };
}

/** Notifies all processes that a key changed. Call this function in the transaction that changes the key. */
export async function announceApiKeyChange(db: Queryable, keyHash: Buffer): Promise<void> {
  await notify(db, channel, keyHash.toString('base64'));
}
