// Shows a package's AES key again from its sealed copy, and notes who asked.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type PackageTarget, recordPackageEvent } from '../lock-package.ts';
import { selectSealedAesKeys } from '../management-store.ts';
import { type AesKeys, unsealAesKeys } from './aes-key.ts';

/** Whoever calls this has asked for the password again. */
export async function revealAesKey(
  tx: Tx,
  masterKey: MasterKey,
  target: PackageTarget,
): Promise<AesKeys> {
  const sealed = await selectSealedAesKeys(tx, target.packageId);
  await recordPackageEvent(tx, target, { action: 'aes_key_revealed' });
  return unsealAesKeys(masterKey, sealed, target.at);
}
