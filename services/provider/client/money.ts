// Formats amounts for the player.

export type MoneyTexts = ReturnType<typeof createMoneyTexts>;

export function createMoneyTexts(play: { currency: string; decimals: number; language: string }) {
  const { currency, decimals } = play;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat(play.language, { style: 'currency', currency, ...digits });
  return {
    /** Formats an amount in minor units. */
    minor: (amount: number) => format.format(amount / 10 ** decimals),
    /** Formats an amount in main units, such as the balance that the wallet returns. */
    main: (amount: number) => format.format(amount),
  };
}
