// Rows of `packages` and `package_keys`.
import type { Queryable } from '@counterfoil/kit/db';
import type { CustomerPackage, KeyPair, KeyPurpose, PackageState } from './customer-package.ts';

interface PackageRow {
  id: number;
  uid: string;
  name: string;
  state: PackageState;
  currency: string;
  domains: string[];
  caller_addresses: string[];
  overdraft_limit: bigint;
  alert_threshold: bigint;
}

interface KeyRow {
  id: bigint;
  purpose: KeyPurpose;
  api_key: string;
  secret_hash: Buffer;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export async function selectPackageByUid(
  db: Queryable,
  uid: string,
): Promise<CustomerPackage | undefined> {
  const { rows } = await db.query<PackageRow>({
    name: 'select_package_by_uid',
    text: `select id, uid, name, state, currency, domains, caller_addresses, overdraft_limit,
             alert_threshold
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
    domains: row.domains,
    callerAddresses: row.caller_addresses,
    overdraftLimit: row.overdraft_limit,
    alertThreshold: row.alert_threshold,
    keyPairs: await selectKeyPairs(db, row.id),
  };
}

async function selectKeyPairs(db: Queryable, packageId: number): Promise<KeyPair[]> {
  const { rows } = await db.query<KeyRow>({
    name: 'select_key_pairs',
    text: `select id, purpose, api_key, secret_hash, expires_at, revoked_at
           from package_keys where package_id = $1`,
    values: [packageId],
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

export interface NewPackageRow {
  readonly uid: string;
  readonly name: string;
  readonly state: PackageState;
  readonly currency: string;
  readonly domains: readonly string[];
  readonly alertThreshold: bigint;
  readonly callbackSecurity: 'headers' | 'signed' | 'encrypted';
  readonly aesKeySealed: Buffer;
}

export async function insertPackageRow(db: Queryable, row: NewPackageRow): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into packages (uid, name, state, currency, domains, alert_threshold,
       callback_security, aes_key_sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      row.uid,
      row.name,
      row.state,
      row.currency,
      row.domains,
      row.alertThreshold,
      row.callbackSecurity,
      row.aesKeySealed,
    ],
  );
  return (rows[0] as { id: number }).id;
}

export async function insertKeyPairRow(
  db: Queryable,
  row: {
    packageId: number;
    purpose: KeyPurpose;
    apiKey: string;
    secretHash: Buffer;
    secretSealed: Buffer | undefined;
  },
): Promise<void> {
  await db.query(
    `insert into package_keys (package_id, purpose, api_key, secret_hash, secret_sealed)
     values ($1, $2, $3, $4, $5)`,
    [row.packageId, row.purpose, row.apiKey, row.secretHash, row.secretSealed ?? null],
  );
}

export async function hasAnyPackage(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select 1 from packages limit 1');
  return rows.length > 0;
}
