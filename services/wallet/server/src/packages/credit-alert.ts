// The prepaid credit of a package, as every answer carries it (specification, section 1, rule 7).

import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { formatMinor, toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import type { CustomerPackage } from './customer-package.ts';

export const CreditAlert = Type.Union(
  [
    Type.Null(),
    named(
      'CreditAlert',
      Type.Object({
        level: Type.Union([
          Type.Literal('low'),
          Type.Literal('critical'),
          Type.Literal('exhausted'),
        ]),
        message: Type.String(),
        threshold: Type.Number(),
        balance: Type.Number(),
      }),
    ),
  ],
  { description: 'Null when all is well, so that `if (credit_alert)` works.' },
);

export const PackageBalance = Type.Number({
  description: "The package's prepaid credit after the operation.",
});

type CreditTerms = Pick<CustomerPackage, 'currency' | 'overdraftLimit' | 'alertThreshold'>;

type AlertLevel = 'low' | 'critical' | 'exhausted';

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

/** The two fields as JSON text of an answer. */
export function writeCredit(terms: CreditTerms, credit: bigint): string {
  const balance = toJsonNumber(credit, terms.currency);
  const alert = findAlertLevel(terms, credit) && presentCredit(terms, credit).credit_alert;
  return `"package_balance":${balance},"credit_alert":${alert ? JSON.stringify(alert) : 'null'}`;
}

export function presentCredit(terms: CreditTerms, credit: bigint) {
  const level = findAlertLevel(terms, credit);
  const balance = toJsonNumber(credit, terms.currency);
  return {
    package_balance: balance,
    credit_alert: level
      ? {
          level,
          message: `${sentences[level]}: ${formatMinor(credit, terms.currency)} ${terms.currency} left.`,
          threshold: toJsonNumber(terms.alertThreshold, terms.currency),
          balance,
        }
      : null,
  };
}
