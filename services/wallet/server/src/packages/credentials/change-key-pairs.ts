// Issues, rotates and revokes key pairs, and shows the secret of a callback pair again.

import { hashSecret, type MasterKey, makeSecret, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { KeyPurpose } from '../customer-package.ts';
import { lockPackage, type PackageTarget, recordPackageChange, recordPackageEvent } from '../lock-package.ts';
import { endOfOverlap, getPairState, type Overlap } from './key-pair.ts';
import { countLivePairs, findKeyPair } from './queries.ts';
import { insertPairRow, retirePairs, savePairRevoked } from './store.ts';

/** The encryption context, which binds a sealed secret to its key pair. */
export const pairContext = (apiKey: string): string => `package_key:${apiKey}`;

/**
 * Issues a key pair. The secret is stored as a hash. The secret of a callback pair is also stored encrypted,
 * because the upstream needs it.
 */
export async function issuePair(
  tx: Tx,
  masterKey: MasterKey,
  wanted: { packageId: number; purpose: KeyPurpose; sandbox: boolean; at: Date },
) {
  const mark = wanted.sandbox ? 'test_' : '';
  const apiKey = makeSecret(`gpk_${mark}`);
  const apiSecret = makeSecret(`gps_${mark}`);
  const id = await insertPairRow(tx, {
    packageId: wanted.packageId,
    purpose: wanted.purpose,
    apiKey,
    secretHash: hashSecret(masterKey, apiSecret),
    secretSealed:
      wanted.purpose === 'callback'
        ? seal(masterKey, { plain: apiSecret, context: pairContext(apiKey) })
        : undefined,
    at: wanted.at,
  });
  return { id, apiKey, apiSecret };
}

/**
 * The maximum number of live pairs of one purpose in a package. Every call searches the list of all live
 * pairs, so the list must be short.
 */
const maxLivePairs = 10;

/**
 * Issues a new pair and retires the old pairs of the same purpose. The limit of live pairs applies only to a
 * rotation with an overlap, because without an overlap the old pairs end now.
 */
export async function rotateKeyPair(
  tx: Tx,
  masterKey: MasterKey,
  rotation: PackageTarget & { purpose: KeyPurpose; overlap: Overlap },
) {
  const { packageId, purpose, overlap, at } = rotation;
  const { uid, sandboxOf } = await lockPackage(tx, packageId);
  if (overlap !== '0' && (await countLivePairs(tx, rotation)) >= maxLivePairs) {
    throw fail('too_many_key_pairs');
  }
  const oldUntil = endOfOverlap(overlap, at);
  // Without an overlap the old pairs are revoked. An expiry time would be too weak: a process with a slow
  // clock would still accept the old pairs.
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

/** Revoking a revoked pair changes nothing. Even the last pair may be revoked, for emergencies. */
export async function revokeKeyPair(tx: Tx, target: PackageTarget & { id: bigint }): Promise<void> {
  const { uid } = await lockPackage(tx, target.packageId);
  const found = await findKeyPair(tx, target);
  if (!found) throw fail('key_pair_not_found');
  const { purpose, apiKey, revokedAt } = found;
  if (revokedAt) return;
  await savePairRevoked(tx, target);
  const event = {
    action: 'key_pair_revoked',
    subject: { kind: 'key_pair', id: String(target.id) },
    details: { purpose, api_key: apiKey },
  };
  await recordPackageChange(tx, { ...target, uid }, event);
}

/**
 * Returns the secret of a live callback pair, and records this in the audit log. The caller must verify the
 * person's password again before this call.
 */
export async function revealCallbackSecret(
  tx: Tx,
  masterKey: MasterKey,
  target: PackageTarget & { id: bigint },
): Promise<{ apiKey: string; apiSecret: string }> {
  const found = await findKeyPair(tx, target);
  if (!found) throw fail('key_pair_not_found');
  const { apiKey, secretSealed } = found;
  const state = getPairState(found, target.at);
  if (state === 'revoked' || state === 'expired') throw fail('key_pair_not_live');
  if (!secretSealed) throw fail('secret_not_kept');
  const event = {
    action: 'callback_secret_revealed',
    subject: { kind: 'key_pair', id: String(target.id) },
    details: { api_key: apiKey },
  };
  await recordPackageEvent(tx, target, event);
  const apiSecret = unseal(masterKey, { sealed: secretSealed, context: pairContext(apiKey) });
  return { apiKey, apiSecret };
}
