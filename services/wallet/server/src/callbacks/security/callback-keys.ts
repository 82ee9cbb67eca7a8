// Derives the keys for signing and encrypting callbacks from a package's AES key.
import { hkdfSync } from 'node:crypto';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { unsealAesKeys } from '../../packages/credentials/aes-key.ts';
import type { CustomerPackage } from '../../packages/customer-package.ts';

export interface CallbackKeys {
  readonly sign: Buffer;
  readonly encrypt: Buffer;
}

/** Derives one key for each use: the HKDF-SHA256 of the 32 bytes of the AES key, with an empty salt. */
export function deriveCallbackKeys(aesKey: string): CallbackKeys {
  const bytes = Buffer.from(aesKey, 'base64');
  const derive = (use: 'sign' | 'encrypt') =>
    Buffer.from(hkdfSync('sha256', bytes, Buffer.alloc(0), `counterfoil/v1/${use}`, 32));
  return { sign: derive('sign'), encrypt: derive('encrypt') };
}

interface Derived {
  readonly current: CallbackKeys;
  readonly previous: { readonly keys: CallbackKeys; readonly until: Date } | undefined;
}

/**
 * The derived keys of each package object. A rotation creates a new package object, for which new keys are
 * derived.
 */
const derivedKeys = new WeakMap<CustomerPackage, Derived>();

/**
 * Lists the keys that are derived from the current AES key. During an overlap, the keys of the previous AES
 * key follow.
 */
export function listCallbackKeys(
  masterKey: MasterKey,
  customerPackage: CustomerPackage,
  now: Date,
): CallbackKeys[] {
  let derived = derivedKeys.get(customerPackage);
  if (!derived) {
    const { current, previous } = unsealAesKeys(masterKey, customerPackage.aesKeys, now);
    derived = {
      current: deriveCallbackKeys(current),
      previous: previous && { keys: deriveCallbackKeys(previous.key), until: previous.until },
    };
    derivedKeys.set(customerPackage, derived);
  }
  const { current, previous } = derived;
  return previous && previous.until > now ? [current, previous.keys] : [current];
}
