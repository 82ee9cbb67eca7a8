// Gives a package a new key pair; the secret leaves this function once.

import { hashSecret, type MasterKey, makeSecret, seal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { KeyPurpose } from '../customer-package.ts';
import { insertPairRow } from './pair-store.ts';

export interface IssuedPair {
  readonly id: bigint;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Ties a sealed secret to its row. */
export const pairContext = (apiKey: string): string => `package_key:${apiKey}`;

/** A caller's secret is kept as a hash only; a callback's is sealed, to be registered upstream. */
export async function issuePair(
  tx: Tx,
  masterKey: MasterKey,
  wanted: { packageId: number; purpose: KeyPurpose; sandbox: boolean; at: Date },
): Promise<IssuedPair> {
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
