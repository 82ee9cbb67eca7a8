// Ends a key pair at once, in every process.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from '../lock-package.ts';
import { savePairRevoked, selectPair } from './pair-store.ts';

/** Revoking again changes nothing. The last pair may go too: that is what an emergency needs. */
export async function revokeKeyPair(tx: Tx, target: PackageTarget & { id: bigint }): Promise<void> {
  const { uid } = await lockPackage(tx, target.packageId);
  const found = await selectPair(tx, target);
  if (!found) throw fail('key_pair_not_found');
  const { purpose, apiKey, revokedAt } = found.pair;
  if (revokedAt) return;
  await savePairRevoked(tx, target);
  const event = {
    action: 'key_pair_revoked',
    subject: { kind: 'key_pair', id: String(target.id) },
    details: { purpose, api_key: apiKey },
  };
  await recordPackageChange(tx, { ...target, uid }, event);
}
