// The credentials with which the upstream sends callbacks: the newest callback pair and, if the security mode
// needs it, the AES key.

import { type MasterKey, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { findManagedPackage, getSealedAesKeys } from '../queries.ts';
import { unsealAesKeys } from './aes-key.ts';
import { pairContext } from './change-key-pairs.ts';
import { findNewestCallbackPair } from './queries.ts';

export type CallbackAccess = NonNullable<Awaited<ReturnType<typeof findCallbackAccess>>>;

/** Finds the credentials. Returns undefined if the package has no live callback pair. */
export async function findCallbackAccess(
  db: Queryable,
  masterKey: MasterKey,
  wanted: { packageId: number; at: Date },
) {
  const found = await findManagedPackage(db, wanted.packageId);
  const pair = await findNewestCallbackPair(db, wanted);
  if (!found || !pair) return undefined;
  const { uid, currency, callbackSecurity: security, state } = found;
  const { apiKey, secretSealed } = pair;
  const apiSecret = unseal(masterKey, { sealed: secretSealed, context: pairContext(apiKey) });
  const needsAesKey = security !== 'headers';
  const sealed = needsAesKey ? await getSealedAesKeys(db, found.id) : undefined;
  const aesKey = sealed && unsealAesKeys(masterKey, sealed, wanted.at).current;
  return { uid, currency, security, active: state === 'approved', apiKey, apiSecret, aesKey };
}
