// Creates the sandbox of a package. The sandbox is approved at once. It has a separate UID, separate keys, a
// separate ledger and play money.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Unit } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { createLedgerWithin } from '../../ledger/engine/ledger.ts';
import { topUp } from '../../ledger/transfer.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from '../lock-package.ts';
import { createPackage, type IssuedPackage } from './issue-package.ts';

/**
 * The play money of a sandbox: 10^9 main units. A package with more than 5 decimals gets less, so that every
 * account stays far below the balance limit.
 */
const playMoneyOf = ({ decimals }: Unit): bigint => 10n ** BigInt(Math.min(9 + decimals, 14));

/**
 * Creates a sandbox with the currency, the decimals and the domains of the package, and with defaults for all
 * other settings.
 */
export async function createSandbox(
  tx: Tx,
  masterKey: MasterKey,
  target: PackageTarget,
): Promise<IssuedPackage> {
  const { packageId, at } = target;
  const real = await lockPackage(tx, packageId);
  if (real.sandboxOf !== undefined) throw fail('is_sandbox');
  if (real.sandboxId !== undefined) throw fail('sandbox_exists');
  const sandbox = await createPackage(tx, masterKey, {
    name: real.name,
    currency: real.currency,
    decimals: real.decimals,
    state: 'approved',
    domains: real.domains,
    sandboxOf: packageId,
    at,
  });
  await topUp(
    createLedgerWithin(tx, () => at),
    {
      packageId: sandbox.id,
      overdraftLimit: 0n,
      type: 'top_up',
      amount: playMoneyOf(real),
      transactionId: 'sandbox-opening',
      note: 'Play money',
    },
  );
  const event = { action: 'sandbox_created', details: { sandbox_id: sandbox.id, uid: sandbox.uid } };
  await recordPackageChange(tx, { ...target, uid: real.uid }, event);
  await recordPackageChange(
    tx,
    { ...target, packageId: sandbox.id, uid: sandbox.uid },
    { action: 'package_issued', details: { name: real.name, sandbox_of: packageId } },
  );
  return sandbox;
}
