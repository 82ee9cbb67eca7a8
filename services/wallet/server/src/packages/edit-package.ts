// Changes the settings of a package, and records the value of each before and after.

import { toJsonNumber } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { PackageSettings } from './customer-package.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from './lock-package.ts';
import { parseSettings, type SentSettings } from './package-settings.ts';
import { saveSettings } from './store.ts';

export async function editPackage(tx: Tx, target: PackageTarget, sent: SentSettings): Promise<void> {
  const locked = await lockPackage(tx, target.packageId);
  const wanted = { ...locked, ...parseSettings(sent, locked.currency) };
  const details = describeChange(locked, wanted, locked.currency);
  if (Object.keys(details).length === 0) return;
  await saveSettings(tx, locked.id, wanted);
  const { uid } = locked;
  await recordPackageChange(tx, { ...target, uid }, { action: 'package_edited', details });
}

function describeChange(
  before: PackageSettings,
  after: PackageSettings,
  currency: string,
): Record<string, { from: unknown; to: unknown }> {
  const old: Record<string, unknown> = presentSettings(before, currency);
  const changes = Object.entries(presentSettings(after, currency))
    .filter(([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value))
    .map(([field, value]) => [field, { from: old[field], to: value }]);
  return Object.fromEntries(changes);
}

const presentSettings = (settings: PackageSettings, currency: string) => ({
  name: settings.name,
  domains: settings.domains,
  caller_addresses: settings.callerAddresses,
  callback_addresses: settings.callbackAddresses,
  alert_threshold: toJsonNumber(settings.alertThreshold, currency),
  overdraft_limit: toJsonNumber(settings.overdraftLimit, currency),
  callback_security: settings.callbackSecurity,
  shared_launch: settings.sharedLaunch,
});
