// Changes the settings of a package, and records each setting before and after the change.

import { maxMinor, toJsonNumber } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { findHead } from '../ledger/queries.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from './lock-package.ts';
import type { ManagedPackage } from './managed-package.ts';
import { parseDecimals, parseSettings, presentMaxStake, type SentSettings } from './package-settings.ts';
import { saveDecimals, saveSettings } from './store.ts';

export async function editPackage(tx: Tx, target: PackageTarget, sent: SentSettings): Promise<void> {
  const locked = await lockPackage(tx, target.packageId);
  const scaled = await changeDecimals(tx, locked, sent.decimals);
  const wanted = { ...scaled, ...parseSettings(sent, scaled) };
  const details = describeChange(locked, wanted);
  if (Object.keys(details).length === 0) return;
  if (wanted.decimals !== locked.decimals) await saveDecimals(tx, locked.id, wanted.decimals);
  await saveSettings(tx, locked.id, wanted);
  const { uid } = locked;
  await recordPackageChange(tx, { ...target, uid }, { action: 'package_edited', details });
}

/**
 * Returns the package with the new decimals, and converts its amounts so that their value stays the same. The
 * decimals may be changed only while the package is pending and has no movements. Other processes cache an
 * approved package for up to 5 s and would read its amounts with the old decimals.
 */
async function changeDecimals(
  tx: Tx,
  locked: ManagedPackage,
  sent: number | undefined,
): Promise<ManagedPackage> {
  if (sent === undefined || sent === locked.decimals) return locked;
  const decimals = parseDecimals(sent, locked.currency);
  const isFixed = locked.state !== 'pending' || (await findHead(tx, locked.id)) > 0n;
  if (isFixed) throw fail('decimals_fixed');
  const scale = (field: string, minor: bigint) => {
    const finer = (minor * 10n ** BigInt(decimals)) / 10n ** BigInt(locked.decimals);
    const isExact = finer * 10n ** BigInt(locked.decimals) === minor * 10n ** BigInt(decimals);
    if (isExact && finer <= maxMinor) return finer;
    throw fail('invalid_parameter', { errors: { decimals: [`must be able to express the ${field}.`] } });
  };
  return {
    ...locked,
    decimals,
    alertThreshold: scale('alert_threshold', locked.alertThreshold),
    overdraftLimit: scale('overdraft_limit', locked.overdraftLimit),
    maxStake: locked.maxStake === undefined ? undefined : scale('max_stake', locked.maxStake),
  };
}

function describeChange(
  before: ManagedPackage,
  after: ManagedPackage,
): Record<string, { from: unknown; to: unknown }> {
  const old: Record<string, unknown> = presentSettings(before);
  const changes = Object.entries(presentSettings(after))
    .filter(([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value))
    .map(([field, value]) => [field, { from: old[field], to: value }]);
  return Object.fromEntries(changes);
}

const presentSettings = (settings: ManagedPackage) => ({
  name: settings.name,
  domains: settings.domains,
  caller_addresses: settings.callerAddresses,
  callback_addresses: settings.callbackAddresses,
  alert_threshold: toJsonNumber(settings.alertThreshold, settings),
  overdraft_limit: toJsonNumber(settings.overdraftLimit, settings),
  max_stake: presentMaxStake(settings.maxStake, settings),
  decimals: settings.decimals,
  callback_security: settings.callbackSecurity,
  shared_launch: settings.sharedLaunch,
});
