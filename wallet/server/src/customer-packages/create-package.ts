// Issues a package: UID, AES key, one pair for the caller and one for the provider's callbacks.
import { randomBytes } from 'node:crypto';
import type { Tx } from '@counterfoil/kit/db';
import { isCurrency } from '@counterfoil/kit/money';
import { hashSecret, type MasterKey, makeSecret, seal } from '@counterfoil/kit/secrets';
import { openLedger } from '../ledger/open-ledger.ts';
import type { KeyPurpose, PackageState } from './customer-package.ts';
import { insertKeyPairRow, insertPackageRow } from './store.ts';

export interface NewPackage {
  readonly name: string;
  readonly currency: string;
  readonly state: PackageState;
  readonly domains: readonly string[];
  readonly alertThreshold?: bigint;
  readonly callbackSecurity?: 'headers' | 'signed' | 'encrypted';
}

interface IssuedPair {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface IssuedPackage {
  readonly id: number;
  readonly uid: string;
  readonly aesKey: string;
  readonly caller: IssuedPair;
  readonly callback: IssuedPair;
}

export async function createPackage(
  tx: Tx,
  masterKey: MasterKey,
  wanted: NewPackage,
): Promise<IssuedPackage> {
  if (!isCurrency(wanted.currency)) throw new Error(`unknown currency ${wanted.currency}`);
  const uid = `UID_${randomBytes(12).toString('hex')}`;
  const aesKey = randomBytes(32).toString('base64');
  const id = await insertPackageRow(tx, {
    uid,
    name: wanted.name,
    state: wanted.state,
    currency: wanted.currency,
    domains: wanted.domains,
    alertThreshold: wanted.alertThreshold ?? 0n,
    callbackSecurity: wanted.callbackSecurity ?? 'headers',
    aesKeySealed: seal(masterKey, { plain: aesKey, context: `aes_key:${uid}` }),
  });
  await openLedger(tx, id);
  const caller = await issuePair(tx, masterKey, { packageId: id, purpose: 'caller' });
  const callback = await issuePair(tx, masterKey, { packageId: id, purpose: 'callback' });
  return { id, uid, aesKey, caller, callback };
}

/** A caller's secret is kept as a hash only; a callback's is sealed, to be registered upstream. */
async function issuePair(
  tx: Tx,
  masterKey: MasterKey,
  { packageId, purpose }: { packageId: number; purpose: KeyPurpose },
): Promise<IssuedPair> {
  const apiKey = makeSecret('gpk_');
  const apiSecret = makeSecret('gps_');
  await insertKeyPairRow(tx, {
    packageId,
    purpose,
    apiKey,
    secretHash: hashSecret(masterKey, apiSecret),
    secretSealed:
      purpose === 'callback'
        ? seal(masterKey, { plain: apiSecret, context: `package_key:${apiKey}` })
        : undefined,
  });
  return { apiKey, apiSecret };
}
