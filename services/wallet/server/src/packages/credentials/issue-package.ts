// Issues a package with its credentials: UID, AES key, caller pair and callback pair. Secrets are shown once.
import { randomBytes } from 'node:crypto';
import { type MasterKey, seal } from '@counterfoil/kit/crypto/secrets';
import { getDecimals, isCurrency } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../../audit/audit-event.ts';
import { fail } from '../../errors.ts';
import { openLedger } from '../../ledger/accounts.ts';
import type { PackageSettings, PackageState } from '../customer-package.ts';
import { recordPackageChange } from '../lock-package.ts';
import { parseDecimals, parseSettings, type SentSettings } from '../package-settings.ts';
import { insertPackageRow } from '../store.ts';
import { aesKeyContext, makeAesKey } from './aes-key.ts';
import { issuePair } from './change-key-pairs.ts';

const defaults = {
  callerAddresses: [],
  callbackAddresses: [],
  overdraftLimit: 0n,
  alertThreshold: 0n,
  maxStake: undefined,
  callbackSecurity: 'headers',
  sharedLaunch: false,
} as const;

export interface NewPackage
  extends Pick<PackageSettings, 'name' | 'domains'>,
    Partial<Pick<PackageSettings, keyof typeof defaults>> {
  readonly currency: string;
  /** The decimals of the package; by default those of its currency. */
  readonly decimals?: number;
  readonly state: PackageState;
  /** The real package, if the new package is a sandbox. */
  readonly sandboxOf?: number;
  readonly at?: Date;
}

export type IssuedPackage = Awaited<ReturnType<typeof createPackage>>;

export async function createPackage(tx: Tx, masterKey: MasterKey, wanted: NewPackage) {
  if (!isCurrency(wanted.currency)) throw new Error(`unknown currency ${wanted.currency}`);
  const sandbox = wanted.sandboxOf !== undefined;
  const at = wanted.at ?? new Date();
  const uid = `UID_${sandbox ? 'test_' : ''}${randomBytes(12).toString('hex')}`;
  const aesKey = makeAesKey();
  const aesKeySealed = seal(masterKey, { plain: aesKey, context: aesKeyContext(uid) });
  const { currency } = wanted;
  const chosen = parseDecimals(wanted.decimals, currency);
  const decimals = chosen === getDecimals(currency) ? undefined : chosen;
  const row = { ...defaults, ...wanted, decimals, uid, aesKeySealed, at };
  const packageId = await insertPackageRow(tx, row);
  await openLedger(tx, packageId);
  const pair = { packageId, sandbox, at };
  const caller = await issuePair(tx, masterKey, { ...pair, purpose: 'caller' });
  const callback = await issuePair(tx, masterKey, { ...pair, purpose: 'callback' });
  return { id: packageId, uid, aesKey, caller, callback };
}

type WantedPackage = SentSettings & { readonly name: string; readonly currency: string };

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
  const decimals = parseDecimals(wanted.decimals, currency);
  const { name = wanted.name, domains = [], ...settings } = parseSettings(wanted, { currency, decimals });
  const fresh = { ...settings, name, domains, currency, decimals, state: 'pending', at } as const;
  const issued = await createPackage(tx, masterKey, fresh);
  await recordPackageChange(
    tx,
    { packageId: issued.id, uid: issued.uid, actor, at },
    {
      action: 'package_issued',
      details: { name, currency, ...(decimals !== getDecimals(currency) && { decimals }) },
    },
  );
  return issued;
}
