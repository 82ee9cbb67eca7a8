// How long the credit of a package lasts at the recent spending rate.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { formatMinor, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import type { CreditPace } from '../../ledger/queries.ts';
import { CreditAlert } from '../credit-alert.ts';

/** A longer runway is not reported, because an estimate from a rate close to zero is meaningless. */
const maxHours = 24 * 365;

const RunwayAnswer = Type.Union(
  [
    Type.Object({
      hours: Type.Number({
        description: 'Estimated hours until the credit runs out at the recent spending rate.',
      }),
      spent: Type.String({ description: 'Credits to players minus debits of players, during `over_hours`.' }),
      over_hours: Type.Number({ description: 'The hours over which the spending was measured.' }),
    }),
    Type.Null(),
  ],
  { description: 'Null if the credit does not decrease, or lasts for more than a year.' },
);

export const CreditAnswer = named(
  'PackageCredit',
  Type.Object({
    currency: Type.String(),
    decimals: Type.Integer({ description: "The number of decimals of the package's amounts." }),
    state: Type.Enum(['pending', 'approved', 'suspended']),
    sandbox: Type.Boolean(),
    balance: Type.Number(),
    credit_alert: CreditAlert,
    runway: RunwayAnswer,
  }),
);

/** The runway in hours, rounded down to a tenth, so that the credit lasts at least that long. */
export function findRunwayHours(available: bigint, pace: CreditPace): number | undefined {
  if (pace.spent <= 0n) return undefined;
  if (available <= 0n) return 0;
  const hours = (Number(available) / Number(pace.spent)) * (pace.overMs / 3_600_000);
  return hours > maxHours ? undefined : Math.floor(hours * 10) / 10;
}

export function presentRunway(available: bigint, pace: CreditPace, unit: Unit) {
  const hours = findRunwayHours(available, pace);
  if (hours === undefined) return null;
  const spent = formatMinor(pace.spent, unit);
  return { hours, spent, over_hours: Math.round(pace.overMs / 360_000) / 10 };
}
