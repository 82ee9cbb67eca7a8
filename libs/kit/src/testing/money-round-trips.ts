// Converts pseudo-random amounts of money to JSON and back.
import { parseMinor, toJsonNumber } from '../money.ts';

const currencies = ['EUR', 'JPY', 'KWD', 'CLF'];

/**
 * Returns how many of the amounts differ after the conversion to JSON and back. The amounts are the same in
 * every run.
 */
export function countDiffering(amounts: number): number {
  let seed = 0x9e3779b9;
  const next = () => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return seed >>> 0;
  };
  let differing = 0;
  for (let i = 0; i < amounts; i++) {
    const digits = 1 + (next() % 15);
    const minor = BigInt((next() * 0x1_0000_0000 + next()) % 10 ** digits);
    const currency = currencies[i & 3] as string;
    const overTheWire = JSON.parse(JSON.stringify(toJsonNumber(minor, currency)));
    if (parseMinor(overTheWire, currency) !== minor) differing++;
  }
  return differing;
}
