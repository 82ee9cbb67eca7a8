// Shows a callback pair's secret again from its sealed copy, and notes who asked.

import { type MasterKey, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { type PackageTarget, recordPackageEvent } from '../lock-package.ts';
import { pairContext } from './issue-pair.ts';
import { getPairState } from './key-pair.ts';
import { selectPair } from './pair-store.ts';

/** Whoever calls this has asked for the password again. */
export async function revealCallbackSecret(
  tx: Tx,
  masterKey: MasterKey,
  target: PackageTarget & { id: bigint },
): Promise<{ apiKey: string; apiSecret: string }> {
  const found = await selectPair(tx, target);
  if (!found) throw fail('key_pair_not_found');
  const { pair, secretSealed } = found;
  const state = getPairState(pair, target.at);
  if (state === 'revoked' || state === 'expired') throw fail('key_pair_not_live');
  if (!secretSealed) throw fail('secret_not_kept');
  const { apiKey } = pair;
  const event = {
    action: 'callback_secret_revealed',
    subject: { kind: 'key_pair', id: String(target.id) },
    details: { api_key: apiKey },
  };
  await recordPackageEvent(tx, target, event);
  const apiSecret = unseal(masterKey, { sealed: secretSealed, context: pairContext(apiKey) });
  return { apiKey, apiSecret };
}
