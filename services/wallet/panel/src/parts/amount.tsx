// Amounts in the currency of the package; changes have a sign.
import { formatAmount } from '@counterfoil/ui/parts/amount.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Text } from '@mantine/core';
import { useCredit } from '../package.ts';

export const formatMoney = (amount: number | string, currency: string): string =>
  `${formatAmount(amount, currency)} ${currency}`;

/**
 * Returns the currency of the package, which the panel reads with the credit; undefined while the credit is
 * loading.
 */
export function useCurrency(): string | undefined {
  const { id } = useTenant();
  return useCredit(id).data?.currency;
}

export function Amount({ value, quiet }: { value: number | string; quiet?: boolean }) {
  const currency = useCurrency();
  return (
    <Text inherit component="span" className="cf-amount" {...(quiet && { c: 'dimmed' })}>
      {formatAmount(value, currency)}
    </Text>
  );
}

/**
 * Shows the change of a balance. Increases are green. Decreases are not red, because a debit is not an error.
 * If the balance did not change, the amount of the movement is shown.
 */
export function Change({ value, amount = 0 }: { value: number; amount?: number }) {
  const currency = useCurrency();
  if (value === 0) return <Amount value={amount} quiet />;
  const isMore = value > 0;
  return (
    <Text inherit component="span" className="cf-amount" {...(isMore && { c: 'pine' })}>
      {isMore && '+'}
      {formatAmount(value, currency)}
    </Text>
  );
}
