// A package's AES-256 key (specification, section 1, rule 6), given out as base64 of 32 bytes.
import { randomBytes } from 'node:crypto';
import { type MasterKey, unseal } from '@counterfoil/kit/crypto/secrets';

export const makeAesKey = (): string => randomBytes(32).toString('base64');

/** Ties a sealed key to its package. */
export const aesKeyContext = (uid: string): string => `aes_key:${uid}`;

export interface SealedAesKeys {
  readonly uid: string;
  readonly current: Buffer;
  readonly previous: { readonly sealed: Buffer; readonly until: Date } | undefined;
}

export interface AesKeys {
  readonly current: string;
  /** The key before, while its overlap runs. */
  readonly previous: { readonly key: string; readonly until: Date } | undefined;
}

export function unsealAesKeys(masterKey: MasterKey, sealed: SealedAesKeys, now: Date): AesKeys {
  const context = aesKeyContext(sealed.uid);
  const { previous } = sealed;
  return {
    current: unseal(masterKey, { sealed: sealed.current, context }),
    previous:
      previous && previous.until > now
        ? { key: unseal(masterKey, { sealed: previous.sealed, context }), until: previous.until }
        : undefined,
  };
}
