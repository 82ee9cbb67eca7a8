// Writes and locks rows of `packages`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { CustomerPackage, PackageSettings, PackageState, SealedAesKeys } from './customer-package.ts';

/** Locks the package against other changes. Operations on players and money do not wait for this lock. */
export async function lockPackageRow(tx: Tx, id: number): Promise<void> {
  await tx.query('select 1 from packages where id = $1 for no key update', [id]);
}

/**
 * Locks the package against changes of its settings. Operations on players and money do not wait for this
 * lock.
 */
export async function shareLockPackageRow(tx: Tx, id: number): Promise<void> {
  await tx.query('select 1 from packages where id = $1 for share', [id]);
}

interface NewPackageRow extends PackageSettings, Pick<CustomerPackage, 'uid' | 'state' | 'currency'> {
  /** The decimals of the package; undefined means the decimals of its currency. */
  readonly decimals: number | undefined;
  readonly aesKeySealed: Buffer;
  readonly sandboxOf?: number;
  readonly at: Date;
}

export async function insertPackageRow(db: Queryable, row: NewPackageRow): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into packages (uid, name, state, currency, domains, caller_addresses,
       callback_addresses, overdraft_limit, alert_threshold, callback_security, aes_key_sealed,
       sandbox_of, created_at, shared_launch, decimals, max_stake)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) returning id`,
    [
      row.uid,
      row.name,
      row.state,
      row.currency,
      row.domains,
      row.callerAddresses,
      row.callbackAddresses,
      row.overdraftLimit,
      row.alertThreshold,
      row.callbackSecurity,
      row.aesKeySealed,
      row.sandboxOf ?? null,
      row.at,
      row.sharedLaunch,
      row.decimals ?? null,
      row.maxStake ?? null,
    ],
  );
  return (rows[0] as { id: number }).id;
}

export async function savePackageState(tx: Tx, id: number, state: PackageState): Promise<void> {
  await tx.query('update packages set state = $2 where id = $1', [id, state]);
}

export async function saveSettings(tx: Tx, id: number, settings: PackageSettings): Promise<void> {
  await tx.query(
    `update packages set name = $2, domains = $3, caller_addresses = $4, callback_addresses = $5,
       alert_threshold = $6, overdraft_limit = $7, callback_security = $8, shared_launch = $9, max_stake = $10
     where id = $1`,
    [
      id,
      settings.name,
      settings.domains,
      settings.callerAddresses,
      settings.callbackAddresses,
      settings.alertThreshold,
      settings.overdraftLimit,
      settings.callbackSecurity,
      settings.sharedLaunch,
      settings.maxStake ?? null,
    ],
  );
}

export async function saveDecimals(tx: Tx, id: number, decimals: number): Promise<void> {
  await tx.query('update packages set decimals = $2 where id = $1', [id, decimals]);
}

export async function saveAesKeys(
  tx: Tx,
  id: number,
  keys: Omit<SealedAesKeys, 'uid'> & { at: Date },
): Promise<void> {
  await tx.query(
    `update packages set aes_key_sealed = $2, aes_key_previous_sealed = $3,
       aes_key_previous_until = $4, aes_key_rotated_at = $5
     where id = $1`,
    [id, keys.current, keys.previous?.sealed ?? null, keys.previous?.until ?? null, keys.at],
  );
}
