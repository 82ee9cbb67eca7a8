// Replaces a package's key pair of one purpose; the old one goes on working for an overlap.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { KeyPurpose } from '../customer-package.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from '../lock-package.ts';
import { type IssuedPair, issuePair } from './issue-pair.ts';
import { endOfOverlap, type Overlap } from './overlap.ts';
import { countLivePairs, retirePairs } from './pair-store.ts';

/** Each live pair is a way in, and every call looks through them. */
const maxLivePairs = 10;

/** Without an overlap the old pairs end now, so there is always room for that. */
export async function rotateKeyPair(
  tx: Tx,
  masterKey: MasterKey,
  rotation: PackageTarget & { purpose: KeyPurpose; overlap: Overlap },
): Promise<{ pair: IssuedPair; oldUntil: Date }> {
  const { packageId, purpose, overlap, at } = rotation;
  const { uid, sandboxOf } = await lockPackage(tx, packageId);
  if (overlap !== '0' && (await countLivePairs(tx, rotation)) >= maxLivePairs) {
    throw fail('too_many_key_pairs');
  }
  const oldUntil = endOfOverlap(overlap, at);
  // Without an overlap it is a revocation, which no clock that is behind can put off.
  const revokedAt = overlap === '0' ? at : undefined;
  await retirePairs(tx, { packageId, purpose, until: oldUntil, revokedAt });
  const sandbox = sandboxOf !== undefined;
  const pair = await issuePair(tx, masterKey, { packageId, purpose, sandbox, at });
  const event = {
    action: 'key_pair_rotated',
    subject: { kind: 'key_pair', id: String(pair.id) },
    details: { purpose, overlap, api_key: pair.apiKey },
  };
  await recordPackageChange(tx, { ...rotation, uid }, event);
  return { pair, oldUntil };
}
