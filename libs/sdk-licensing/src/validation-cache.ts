// Stores verdicts in the caller's cache, under names that reveal neither the API key nor a purchase code.
import { toBytes, toHex } from '../../sdk-shared/src/bytes.ts';
import type { Verdict } from './validate.ts';
import type { ValidPurchase } from './wire.ts';

/** A store of strings, such as a map, localStorage, a table or Redis. */
export interface ValidationCache {
  get(name: string): Promise<string | null | undefined> | string | null | undefined;
  set(name: string, text: string): unknown;
  delete(name: string): unknown;
}

export type Known = { readonly checkedAt: number } & (
  | { readonly valid: true; readonly purchase: ValidPurchase }
  | { readonly valid: false; readonly reason: Verdict }
);

/** A cache in the memory of this process. A full cache drops the oldest entry. */
export function createMemoryCache(maxEntries = 10_000): ValidationCache {
  const entries = new Map<string, string>();
  return {
    get: (name) => entries.get(name),
    set: (name, text) => {
      entries.delete(name);
      entries.set(name, text);
      const oldest = entries.size > maxEntries ? entries.keys().next() : undefined;
      if (oldest && !oldest.done) entries.delete(oldest.value);
    },
    delete: (name) => entries.delete(name),
  };
}

/** Reads and writes verdicts. A failure of the cache is ignored, and the service is asked instead. */
export function createMemory(apiKey: string, cache: ValidationCache | undefined) {
  const nameOf = createNames(apiKey);
  const attempt = async <T>(work: (given: ValidationCache) => Promise<T>) => {
    if (!cache) return undefined;
    try {
      return await work(cache);
    } catch {
      return undefined;
    }
  };
  return {
    find: (code: string): Promise<Known | undefined> =>
      attempt(async (given) => read(await given.get(await nameOf(code)))),
    keep: async (code: string, known: Known): Promise<void> => {
      await attempt(async (given) => given.set(await nameOf(code), write(known)));
    },
    forget: async (code: string): Promise<void> => {
      await attempt(async (given) => given.delete(await nameOf(code)));
    },
  };
}

/** Returns a function that makes the name of an entry: a keyed hash of the code in lower case. */
function createNames(apiKey: string): (code: string) => Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const importKey = () => crypto.subtle.importKey('raw', toBytes(apiKey), hmac, false, ['sign']);
  let key: ReturnType<typeof importKey> | undefined;
  return async (code) => {
    key ??= importKey();
    const name = await crypto.subtle.sign('HMAC', await key, toBytes(code.toLowerCase()));
    return `counterfoil-${toHex(new Uint8Array(name))}`;
  };
}

function write(known: Known): string {
  if (!known.valid) return JSON.stringify(known);
  const { purchase_code: _left, ...purchase } = known.purchase;
  return JSON.stringify({ ...known, purchase });
}

function read(text: string | null | undefined): Known | undefined {
  const kept = JSON.parse(text ?? 'null') as Partial<Known> | null;
  const isWhole =
    typeof kept?.checkedAt === 'number' &&
    (kept.valid === true ? typeof kept.purchase === 'object' : kept.valid === false);
  return isWhole ? (kept as Known) : undefined;
}
