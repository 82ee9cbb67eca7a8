// How long the credit of a package lasts at the recent spending rate.
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import type { CreditPace } from '../../ledger/queries.ts';
import { CreditAlert } from '../credit-alert.ts';

/** A longer runway is not reported: it says nothing at a rate close to zero. */
const maxHours = 24 * 365;

const RunwayAnswer = Type.Union(
  [
    Type.Object({
      hours: Type.Number({ description: 'Until nothing is left to give, at the pace of late.' }),
      spent: Type.String({ description: 'Given to players less what came back.' }),
      over_hours: Type.Number({ description: 'The time that it was spent in.' }),
    }),
    Type.Null(),
  ],
  { description: 'Null where credit does not go down.' },
);

export const CreditAnswer = named(
  'PackageCredit',
  Type.Object({
    currency: Type.String(),
    decimals: Type.Integer({ description: "The currency's minor units." }),
    state: Type.Enum(['pending', 'approved', 'suspended']),
    sandbox: Type.Boolean(),
    balance: Type.Number(),
    credit_alert: CreditAlert,
    runway: RunwayAnswer,
  }),
);

/** In hours, rounded down to a tenth, so that the credit lasts at least that long. */
export function findRunwayHours(available: bigint, pace: CreditPace): number | undefined {
  if (pace.spent <= 0n) return undefined;
  if (available <= 0n) return 0;
  const hours = (Number(available) / Number(pace.spent)) * (pace.overMs / 3_600_000);
  return hours > maxHours ? undefined : Math.floor(hours * 10) / 10;
}
