// Shows a key again from its sealed copy (specification, section 5, rule 2), and notes who asked.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { unsealApiKey } from './insert-api-key.ts';
import { type KeyTarget, lockApiKey, recordKeyAudit } from './lock-api-key.ts';

/** Whoever calls this has asked for the password again. */
export async function revealApiKey(
  tx: Tx,
  masterKey: MasterKey,
  target: KeyTarget,
): Promise<string> {
  const locked = await lockApiKey(tx, target);
  const details = { name: locked.key.name };
  await recordKeyAudit(tx, target, { action: 'api_key_revealed', details });
  return unsealApiKey(masterKey, locked);
}
