// An amount in the package's currency, in columns that line up; changes carry their sign.
import { formatAmount } from '@counterfoil/ui/parts/amount.ts';
import { Text } from '@mantine/core';
import { useCredit, usePackage } from '../package.ts';

export const formatMoney = (amount: number | string, currency: string): string =>
  `${formatAmount(amount, currency)} ${currency}`;

/** Undefined for the moment in which it is not known yet. */
export function useCurrency(): string | undefined {
  const { id } = usePackage();
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

/** Green for more, plain for less: a debit is nothing bad. */
export function Change({ value }: { value: number }) {
  const currency = useCurrency();
  if (value === 0) return <Amount value={0} quiet />;
  const isMore = value > 0;
  return (
    <Text inherit component="span" className="cf-amount" {...(isMore && { c: 'pine' })}>
      {isMore && '+'}
      {formatAmount(value, currency)}
    </Text>
  );
}
