// Creates, rotates and reveals a package's AES-256 key (specification, section 1, rule 6).
import { randomBytes } from 'node:crypto';
import { type MasterKey, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { SealedAesKeys } from '../customer-package.ts';
import { lockPackage, type PackageTarget, recordPackageChange, recordPackageEvent } from '../lock-package.ts';
import { getSealedAesKeys } from '../queries.ts';
import { saveAesKeys } from '../store.ts';
import { endOfOverlap, type Overlap } from './key-pair.ts';

export const makeAesKey = (): string => randomBytes(32).toString('base64');

/** The encryption context, which binds a sealed key to its package. */
export const aesKeyContext = (uid: string): string => `aes_key:${uid}`;

/** The current key, and the previous key while its overlap lasts. */
export function unsealAesKeys(masterKey: MasterKey, sealed: SealedAesKeys, now: Date) {
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

/**
 * A package has at most one previous key. During the overlap of the previous key, another rotation with an
 * overlap is refused, because it would end the previous key early. A rotation without an overlap ends the
 * current and the previous key at once.
 */
export async function rotateAesKey(
  tx: Tx,
  masterKey: MasterKey,
  rotation: PackageTarget & { overlap: Overlap },
): Promise<{ aesKey: string; oldUntil: Date }> {
  const { packageId, overlap, at } = rotation;
  const { uid } = await lockPackage(tx, packageId);
  const { current, previous } = await getSealedAesKeys(tx, packageId);
  const hasOverlap = overlap !== '0';
  if (hasOverlap && previous && previous.until > at) throw fail('overlap_running');
  const aesKey = makeAesKey();
  const oldUntil = endOfOverlap(overlap, at);
  await saveAesKeys(tx, packageId, {
    current: seal(masterKey, { plain: aesKey, context: aesKeyContext(uid) }),
    previous: hasOverlap ? { sealed: current, until: oldUntil } : undefined,
    at,
  });
  const event = { action: 'aes_key_rotated', details: { overlap } };
  await recordPackageChange(tx, { ...rotation, uid }, event);
  return { aesKey, oldUntil };
}

/**
 * Returns the AES keys in readable form. The caller must verify the person's password again before this call.
 */
export async function revealAesKey(tx: Tx, masterKey: MasterKey, target: PackageTarget) {
  const sealed = await getSealedAesKeys(tx, target.packageId);
  await recordPackageEvent(tx, target, { action: 'aes_key_revealed' });
  return unsealAesKeys(masterKey, sealed, target.at);
}
