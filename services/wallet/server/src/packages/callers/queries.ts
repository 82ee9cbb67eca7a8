// Reads a package with its live key pairs, as every authenticated call needs it.

import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { CustomerPackage, KeyPair } from '../customer-package.ts';
import { type AesKeyRow, aesKeyFields, toAesKeys, withDecimals } from '../queries.ts';

export async function findPackageByUid(
  db: Queryable,
  uid: string,
  now: Date,
): Promise<CustomerPackage | undefined> {
  const { rows } = await db.query<AesKeyRow>({
    name: 'select_package_by_uid',
    text: `select id, uid, name, state, currency, decimals, sandbox_of is not null as sandbox, domains,
             shared_launch,
             caller_addresses, overdraft_limit, alert_threshold, max_stake, callback_security,
             callback_addresses, ${aesKeyFields}
           from packages where uid = $1`,
    values: [uid],
  });
  const [row] = rows;
  if (!row) return undefined;
  type Found = Omit<CustomerPackage, 'keyPairs' | 'aesKeys' | 'decimals'>;
  const found = withDecimals(fromRow<Found & { decimals: number | undefined }>(row));
  const keyPairs = await queryRows<KeyPair>(db, {
    name: 'select_live_pairs',
    text: `select id, purpose, api_key, secret_hash, expires_at, revoked_at
           from package_keys
           where package_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    values: [found.id, now],
  });
  return { ...found, keyPairs, aesKeys: toAesKeys(row) };
}
