// An amount with the code of its currency, as a ledger writes it.
import { tellAmount } from '@counterfoil/ui/parts/amount.ts';

export const tellMoney = (amount: number | string, currency: string): string =>
  `${tellAmount(amount, currency)} ${currency}`;
