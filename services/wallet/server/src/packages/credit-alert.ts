// The prepaid credit of a package, as answers contain it (specification, section 1, rule 7).

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { formatMinor, toJsonNumber } from '@counterfoil/kit/money';
import { type TSchema, Type } from 'typebox';
import type { CustomerPackage } from './customer-package.ts';

/** The levels in the order in which falling credit reaches them. */
export const alertLevels = ['low', 'critical', 'exhausted'] as const;
type AlertLevel = (typeof alertLevels)[number];

export const CreditAlert = Type.Union(
  [
    Type.Null(),
    named(
      'CreditAlert',
      Type.Object({
        level: Type.Enum(alertLevels),
        message: Type.String(),
        threshold: Type.Number(),
        balance: Type.Number(),
      }),
    ),
  ],
  { description: 'Null while the credit is above the threshold.' },
);

export const PackageBalance = Type.Number({
  description: "The package's prepaid credit after the operation.",
});

/** The envelope of an answer that carries the package's credit. */
export const AnswerWithCredit = <Data extends TSchema>(data: Data) =>
  Type.Object({
    status: Type.Literal('success'),
    data,
    package_balance: PackageBalance,
    credit_alert: CreditAlert,
    request_id: Type.String(),
  });

type CreditTerms = Pick<CustomerPackage, 'currency' | 'decimals' | 'overdraftLimit' | 'alertThreshold'>;

const sentences: Record<AlertLevel, string> = {
  low: 'Package credit is low',
  critical: 'Package credit is almost used up',
  exhausted: 'Package credit is used up; players cannot be credited',
};

export function findAlertLevel(terms: CreditTerms, credit: bigint): AlertLevel | undefined {
  if (credit + terms.overdraftLimit <= 0n) return 'exhausted';
  if (credit * 4n <= terms.alertThreshold) return 'critical';
  if (credit <= terms.alertThreshold) return 'low';
  return undefined;
}

/** Writes `package_balance` and `credit_alert` as JSON text without braces. */
export function writeCredit(terms: CreditTerms, credit: bigint): string {
  const balance = toJsonNumber(credit, terms);
  const alert = findAlertLevel(terms, credit) && presentCredit(terms, credit).credit_alert;
  return `"package_balance":${balance},"credit_alert":${alert ? JSON.stringify(alert) : 'null'}`;
}

export const answerWithCredit = <Data>(
  request: { id: string },
  data: Data,
  { terms, credit }: { terms: CreditTerms; credit: bigint },
) => ({ status: 'success' as const, data, ...presentCredit(terms, credit), request_id: request.id });

export function presentCredit(terms: CreditTerms, credit: bigint) {
  const level = findAlertLevel(terms, credit);
  const balance = toJsonNumber(credit, terms);
  return {
    package_balance: balance,
    credit_alert: level
      ? {
          level,
          message: `${sentences[level]}: ${formatMinor(credit, terms)} ${terms.currency} left.`,
          threshold: toJsonNumber(terms.alertThreshold, terms),
          balance,
        }
      : null,
  };
}
