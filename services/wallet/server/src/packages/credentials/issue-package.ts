// Issues a package: pending until an administrator approves it, with credentials shown this once.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { isCurrency } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../../audit/audit-event.ts';
import { fail } from '../../errors.ts';
import { recordPackageChange } from '../lock-package.ts';
import { parseSettings, type SentSettings } from '../package-settings.ts';
import { createPackage, type IssuedPackage } from './create-package.ts';

export type WantedPackage = SentSettings & { readonly name: string; readonly currency: string };

export async function issuePackage(
  tx: Tx,
  masterKey: MasterKey,
  issue: { wanted: WantedPackage; actor: Actor; at: Date },
): Promise<IssuedPackage> {
  const { wanted, actor, at } = issue;
  const { currency } = wanted;
  if (!isCurrency(currency)) {
    throw fail('invalid_parameter', { errors: { currency: ['must be a currency of ISO 4217.'] } });
  }
  const { name = wanted.name, domains = [], ...settings } = parseSettings(wanted, currency);
  const fresh = { ...settings, name, domains, currency, state: 'pending', at } as const;
  const issued = await createPackage(tx, masterKey, fresh);
  await recordPackageChange(
    tx,
    { packageId: issued.id, uid: issued.uid, actor, at },
    { action: 'package_issued', details: { name, currency } },
  );
  return issued;
}
