// An amount with its currency, as people read it.
export function tellMoney(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
  } catch {
    // Not every currency code is known to every browser.
    return `${amount} ${currency}`;
  }
}
