// Formats amounts for the player.

export interface MoneyTexts {
  /** Formats an amount in minor units. */
  minor(amount: number): string;
  /** Formats an amount in main units, such as the balance that the wallet returns. */
  main(amount: number): string;
}

export function createMoneyTexts(play: { currency: string; decimals: number; language: string }): MoneyTexts {
  const digits = { minimumFractionDigits: play.decimals, maximumFractionDigits: play.decimals };
  const format = new Intl.NumberFormat(play.language, {
    style: 'currency',
    currency: play.currency,
    ...digits,
  });
  return {
    minor: (amount) => format.format(amount / 10 ** play.decimals),
    main: (amount) => format.format(amount),
  };
}
