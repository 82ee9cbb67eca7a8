// A package as administrators and members see it: settings, credit and sandbox, without secrets.

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { CreditAlert, presentCredit } from './credit-alert.ts';
import type { CustomerPackage } from './customer-package.ts';
import { Decimals, MaxStake, presentMaxStake } from './package-settings.ts';

export interface ManagedPackage extends Omit<CustomerPackage, 'sandbox' | 'keyPairs' | 'aesKeys'> {
  readonly credit: bigint;
  /** The id of the real package, if this package is a sandbox. */
  readonly sandboxOf: number | undefined;
  /** The id of the sandbox of this package, if there is one. */
  readonly sandboxId: number | undefined;
  readonly aesKeyRotatedAt: Date | undefined;
  readonly aesKeyPreviousUntil: Date | undefined;
  readonly createdAt: Date;
}

const numberOrNull = Type.Union([Type.Integer(), Type.Null()]);
const timeOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const PackageAnswer = named(
  'Package',
  Type.Object({
    id: Type.Integer(),
    uid: Type.String(),
    name: Type.String(),
    state: Type.Enum(['pending', 'approved', 'suspended']),
    currency: Type.String(),
    decimals: Decimals,
    sandbox: Type.Boolean({ description: 'Whether this is a sandbox, which has play money.' }),
    sandbox_of: numberOrNull,
    sandbox_id: numberOrNull,
    domains: Type.Array(Type.String()),
    caller_addresses: Type.Array(Type.String()),
    callback_addresses: Type.Array(Type.String()),
    balance: Type.Number({ description: 'The prepaid credit.' }),
    overdraft_limit: Type.Number(),
    alert_threshold: Type.Number(),
    max_stake: MaxStake,
    credit_alert: CreditAlert,
    callback_security: Type.Enum(['headers', 'signed', 'encrypted']),
    shared_launch: Type.Boolean({
      description: "Whether the provider's shared session is used if its private launch is unavailable.",
    }),
    aes_key_rotated_at: timeOrNull,
    aes_key_previous_until: timeOrNull,
    created_at: Type.String({ format: 'date-time' }),
  }),
);

export function presentPackage(found: ManagedPackage, now: Date) {
  const { currency, aesKeyPreviousUntil: until } = found;
  const { package_balance, credit_alert } = presentCredit(found, found.credit);
  return {
    id: found.id,
    uid: found.uid,
    name: found.name,
    state: found.state,
    currency,
    decimals: found.decimals,
    sandbox: found.sandboxOf !== undefined,
    sandbox_of: found.sandboxOf ?? null,
    sandbox_id: found.sandboxId ?? null,
    domains: [...found.domains],
    caller_addresses: [...found.callerAddresses],
    callback_addresses: [...found.callbackAddresses],
    balance: package_balance,
    overdraft_limit: toJsonNumber(found.overdraftLimit, found),
    alert_threshold: toJsonNumber(found.alertThreshold, found),
    max_stake: presentMaxStake(found.maxStake, found),
    credit_alert,
    callback_security: found.callbackSecurity,
    shared_launch: found.sharedLaunch,
    aes_key_rotated_at: found.aesKeyRotatedAt?.toISOString() ?? null,
    aes_key_previous_until: until && until > now ? until.toISOString() : null,
    created_at: found.createdAt.toISOString(),
  };
}
