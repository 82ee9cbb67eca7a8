// Ends a key for good; every process refuses it within 5 s.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type KeyTarget, lockApiKey, saveApiKey } from './lock-api-key.ts';

/** Revoking a revoked key changes nothing. */
export async function revokeApiKey(tx: Tx, target: KeyTarget): Promise<void> {
  const locked = await lockApiKey(tx, target);
  if (locked.key.revokedAt) return;
  await saveApiKey(tx, target, {
    locked,
    to: { revokedAt: target.at },
    action: 'api_key_revoked',
    details: { name: locked.key.name },
  });
}
