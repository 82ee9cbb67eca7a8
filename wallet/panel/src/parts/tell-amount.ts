// An amount as people read it, from its decimal text alone: nothing is computed, so nothing is rounded.

/** The decimals that are usually written; what has more shows all of them. */
function usualDecimals(currency: string | undefined): number {
  if (currency === undefined) return 0;
  try {
    const options = { style: 'currency', currency } as const;
    return new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 0;
  } catch {
    // Not every currency code is known to every browser.
    return 0;
  }
}

/** Services send amounts as JSON numbers of at most 15 digits, whose shortest text is exact. */
export function tellAmount(amount: number | string, currency?: string): string {
  const text = String(amount);
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return text;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const decimals = fraction.padEnd(usualDecimals(currency), '0');
  return `${sign && '−'}${grouped}${decimals && `.${decimals}`}`;
}

export const tellMoney = (amount: number | string, currency: string): string =>
  `${tellAmount(amount, currency)} ${currency}`;
