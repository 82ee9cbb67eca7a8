// Makes a package: UID, AES key, one pair for the caller and one for the provider's callbacks.
import { randomBytes } from 'node:crypto';
import { type MasterKey, seal } from '@counterfoil/kit/crypto/secrets';
import { isCurrency } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { openLedger } from '../../ledger/accounts.ts';
import type { CallbackSecurity, PackageState } from '../customer-package.ts';
import { insertPackageRow } from '../store.ts';
import { aesKeyContext, makeAesKey } from './aes-key.ts';
import { type IssuedPair, issuePair } from './issue-pair.ts';

export interface NewPackage {
  readonly name: string;
  readonly currency: string;
  readonly state: PackageState;
  readonly domains: readonly string[];
  readonly callerAddresses?: readonly string[];
  readonly callbackAddresses?: readonly string[];
  readonly overdraftLimit?: bigint;
  readonly alertThreshold?: bigint;
  readonly callbackSecurity?: CallbackSecurity;
  readonly sharedLaunch?: boolean;
  /** The package that this one is the test of. */
  readonly sandboxOf?: number;
  readonly at?: Date;
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
  const sandbox = wanted.sandboxOf !== undefined;
  const at = wanted.at ?? new Date();
  const uid = `UID_${sandbox ? 'test_' : ''}${randomBytes(12).toString('hex')}`;
  const aesKey = makeAesKey();
  const packageId = await insertPackageRow(tx, {
    uid,
    name: wanted.name,
    state: wanted.state,
    currency: wanted.currency,
    domains: wanted.domains,
    callerAddresses: wanted.callerAddresses ?? [],
    callbackAddresses: wanted.callbackAddresses ?? [],
    overdraftLimit: wanted.overdraftLimit ?? 0n,
    alertThreshold: wanted.alertThreshold ?? 0n,
    callbackSecurity: wanted.callbackSecurity ?? 'headers',
    sharedLaunch: wanted.sharedLaunch ?? false,
    aesKeySealed: seal(masterKey, { plain: aesKey, context: aesKeyContext(uid) }),
    sandboxOf: wanted.sandboxOf,
    at,
  });
  await openLedger(tx, packageId);
  const pair = { packageId, sandbox, at };
  const caller = await issuePair(tx, masterKey, { ...pair, purpose: 'caller' });
  const callback = await issuePair(tx, masterKey, { ...pair, purpose: 'callback' });
  return { id: packageId, uid, aesKey, caller, callback };
}
