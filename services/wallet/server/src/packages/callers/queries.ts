// Reads a package with its live key pairs, as every authenticated call needs it.

import type { Queryable } from '@counterfoil/kit/postgres/db';
import type {
  CallbackSecurity,
  CustomerPackage,
  KeyPair,
  KeyPurpose,
  PackageState,
  SealedAesKeys,
} from '../customer-package.ts';

interface PackageRow {
  id: number;
  uid: string;
  name: string;
  state: PackageState;
  currency: string;
  sandbox: boolean;
  domains: string[];
  shared_launch: boolean;
  caller_addresses: string[];
  overdraft_limit: bigint;
  alert_threshold: bigint;
  callback_security: CallbackSecurity;
  callback_addresses: string[];
  aes_key_sealed: Buffer;
  aes_key_previous_sealed: Buffer | null;
  aes_key_previous_until: Date | null;
}

interface KeyRow {
  id: bigint;
  purpose: KeyPurpose;
  api_key: string;
  secret_hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export async function findPackageByUid(
  db: Queryable,
  uid: string,
  now: Date,
): Promise<CustomerPackage | undefined> {
  const { rows } = await db.query<PackageRow>({
    name: 'select_package_by_uid',
    text: `select id, uid, name, state, currency, sandbox_of is not null as sandbox, domains,
             shared_launch,
             caller_addresses, overdraft_limit, alert_threshold, callback_security,
             callback_addresses, aes_key_sealed, aes_key_previous_sealed, aes_key_previous_until
           from packages where uid = $1`,
    values: [uid],
  });
  const row = rows[0];
  if (!row) return undefined;
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    state: row.state,
    currency: row.currency,
    sandbox: row.sandbox,
    domains: row.domains,
    sharedLaunch: row.shared_launch,
    callerAddresses: row.caller_addresses,
    overdraftLimit: row.overdraft_limit,
    alertThreshold: row.alert_threshold,
    keyPairs: await selectLivePairs(db, row.id, now),
    callbackSecurity: row.callback_security,
    callbackAddresses: row.callback_addresses,
    aesKeys: toAesKeys(row),
  };
}

function toAesKeys(row: PackageRow): SealedAesKeys {
  const { aes_key_previous_sealed: sealed, aes_key_previous_until: until } = row;
  const previous = sealed && until ? { sealed, until } : undefined;
  return { uid: row.uid, current: row.aes_key_sealed, previous };
}

async function selectLivePairs(db: Queryable, packageId: number, now: Date): Promise<KeyPair[]> {
  const { rows } = await db.query<KeyRow>({
    name: 'select_live_pairs',
    text: `select id, purpose, api_key, secret_hash, expires_at, revoked_at
           from package_keys
           where package_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    values: [packageId, now],
  });
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose,
    apiKey: row.api_key,
    secretHash: row.secret_hash,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }));
}
