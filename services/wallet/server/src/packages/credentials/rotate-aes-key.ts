// Replaces a package's AES key; the one before stays good for an overlap.

import { type MasterKey, seal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from '../lock-package.ts';
import { saveAesKeys, selectSealedAesKeys } from '../management-store.ts';
import { aesKeyContext, makeAesKey } from './aes-key.ts';
import { endOfOverlap, type Overlap } from './overlap.ts';

/**
 * There is room for one key before the current one. While it overlaps, another rotation with an
 * overlap would cut it short, so that is refused; one without ends both at once.
 */
export async function rotateAesKey(
  tx: Tx,
  masterKey: MasterKey,
  rotation: PackageTarget & { overlap: Overlap },
): Promise<{ aesKey: string; oldUntil: Date }> {
  const { packageId, overlap, at } = rotation;
  const { uid } = await lockPackage(tx, packageId);
  const { current, previous } = await selectSealedAesKeys(tx, packageId);
  const keepsOld = overlap !== '0';
  if (keepsOld && previous && previous.until > at) throw fail('overlap_running');
  const aesKey = makeAesKey();
  const oldUntil = endOfOverlap(overlap, at);
  await saveAesKeys(tx, packageId, {
    current: seal(masterKey, { plain: aesKey, context: aesKeyContext(uid) }),
    previous: keepsOld ? { sealed: current, until: oldUntil } : undefined,
    at,
  });
  const event = { action: 'aes_key_rotated', details: { overlap } };
  await recordPackageChange(tx, { ...rotation, uid }, event);
  return { aesKey, oldUntil };
}
