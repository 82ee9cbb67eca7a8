// Roulette and dice: the player picks a field, a number is drawn, and the field wins or loses.
import type { Draw } from './draw.ts';

interface Field {
  readonly id: string;
  readonly label: string;
  /** The factor by which the stake is multiplied if the field wins. */
  readonly times: number;
  readonly wins: (drawn: number) => boolean;
}

export interface PickModel {
  readonly kind: 'roulette' | 'dice';
  readonly volatility: 'low' | 'medium' | 'high';
  /** A number from 0 to `numbers - 1` is drawn. */
  readonly numbers: number;
  readonly fields: readonly Field[];
}

const reds = new Set([1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]);

const from = (first: number, last: number) => (drawn: number) => drawn >= first && drawn <= last;

/**
 * There are 37 numbers, but every field pays as if there were 36. So each field returns 36/37 of the stakes.
 */
export const roulette: PickModel = {
  kind: 'roulette',
  volatility: 'medium',
  numbers: 37,
  fields: [
    { id: 'red', label: 'Red', times: 2, wins: (drawn) => reds.has(drawn) },
    { id: 'black', label: 'Black', times: 2, wins: (drawn) => drawn > 0 && !reds.has(drawn) },
    { id: 'even', label: 'Even', times: 2, wins: (drawn) => drawn > 0 && drawn % 2 === 0 },
    { id: 'odd', label: 'Odd', times: 2, wins: (drawn) => drawn % 2 === 1 },
    { id: 'low', label: '1 to 18', times: 2, wins: from(1, 18) },
    { id: 'high', label: '19 to 36', times: 2, wins: from(19, 36) },
    { id: 'first', label: '1st 12', times: 3, wins: from(1, 12) },
    { id: 'second', label: '2nd 12', times: 3, wins: from(13, 24) },
    { id: 'third', label: '3rd 12', times: 3, wins: from(25, 36) },
    ...Array.from({ length: 37 }, (_, number) => ({
      id: `n${number}`,
      label: String(number),
      times: 36,
      wins: (drawn: number) => drawn === number,
    })),
  ],
};

/** One of ten thousand numbers is drawn. Every field returns 99 % of the stakes. */
export const dice: PickModel = {
  kind: 'dice',
  volatility: 'low',
  numbers: 10_000,
  fields: [
    { id: 'under-6600', label: 'Under 66.00', times: 1.5, wins: from(0, 6599) },
    { id: 'under-4950', label: 'Under 49.50', times: 2, wins: from(0, 4949) },
    { id: 'under-1980', label: 'Under 19.80', times: 5, wins: from(0, 1979) },
    { id: 'under-990', label: 'Under 9.90', times: 10, wins: from(0, 989) },
    { id: 'over-3400', label: 'Over 33.99', times: 1.5, wins: from(3400, 9999) },
    { id: 'over-5050', label: 'Over 50.49', times: 2, wins: from(5050, 9999) },
    { id: 'over-8020', label: 'Over 80.19', times: 5, wins: from(8020, 9999) },
    { id: 'over-9010', label: 'Over 90.09', times: 10, wins: from(9010, 9999) },
  ],
};

export interface PickResult {
  readonly winMinor: bigint;
  readonly drawn: number;
  readonly field: Field;
}

export function playPick(play: {
  model: PickModel;
  betMinor: bigint;
  fieldId: string;
  draw: Draw;
}): PickResult | undefined {
  const field = play.model.fields.find(({ id }) => id === play.fieldId);
  if (!field) return undefined;
  const drawn = play.draw(play.model.numbers);
  // Stakes are multiples of ten minor units, so a tenth of a stake is a whole number.
  const winMinor = field.wins(drawn) ? (play.betMinor * BigInt(Math.round(field.times * 10))) / 10n : 0n;
  return { winMinor, drawn, field };
}
