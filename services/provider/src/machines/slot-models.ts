// The slot machines of the games: reels and paytables, by volatility.
import type { SlotModel } from './slot.ts';

const fiveReelLines = [
  [1, 1, 1, 1, 1],
  [0, 0, 0, 0, 0],
  [2, 2, 2, 2, 2],
  [0, 1, 2, 1, 0],
  [2, 1, 0, 1, 2],
  [0, 0, 1, 2, 2],
  [2, 2, 1, 0, 0],
  [1, 0, 1, 2, 1],
  [1, 2, 1, 0, 1],
  [0, 1, 1, 1, 2],
];

const threeReelLines = [
  [1, 1, 1],
  [0, 0, 0],
  [2, 2, 2],
  [0, 1, 2],
  [2, 1, 0],
];

/**
 * Makes five reels. All reels have the same counts of ordinary symbols. `wilds` has the number of wild
 * symbols of each reel.
 */
const five = (counts: number[], wilds: number[]) => wilds.map((wild) => [wild, ...counts]);
const three = (counts: number[]) => [counts, counts, counts];

type Parts = Omit<SlotModel, 'lines'>;
const onTenLines = (parts: Parts): SlotModel => ({ ...parts, lines: fiveReelLines });
const onFiveLines = (parts: Parts): SlotModel => ({ ...parts, lines: threeReelLines });

export const videoSlots: readonly SlotModel[] = [
  onTenLines({
    name: 'gentle',
    volatility: 'low',
    counts: five([2, 3, 3, 4, 5, 6, 6], [0, 1, 1, 1, 0]),
    pays: [
      [0, 0, 0, 0, 0],
      [0, 9, 45, 180, 700],
      [0, 0, 34, 120, 450],
      [0, 0, 28, 90, 350],
      [0, 0, 24, 60, 180],
      [0, 0, 18, 45, 140],
      [0, 0, 12, 28, 90],
      [0, 0, 12, 24, 70],
    ],
  }),
  onTenLines({
    name: 'breezy',
    volatility: 'low',
    counts: five([2, 3, 4, 4, 5, 5, 5], [0, 1, 1, 1, 1]),
    pays: [
      [0, 0, 0, 0, 0],
      [0, 9, 45, 190, 950],
      [0, 0, 34, 120, 450],
      [0, 0, 28, 80, 280],
      [0, 0, 18, 60, 190],
      [0, 0, 14, 34, 120],
      [0, 0, 12, 28, 95],
      [0, 0, 12, 24, 70],
    ],
  }),
  onTenLines({
    name: 'steady',
    volatility: 'medium',
    counts: five([2, 3, 3, 4, 5, 6, 6], [1, 1, 1, 1, 1]),
    pays: [
      [0, 12, 100, 500, 2500],
      [0, 7, 60, 250, 1200],
      [0, 0, 38, 150, 600],
      [0, 0, 30, 100, 370],
      [0, 0, 14, 50, 200],
      [0, 0, 12, 38, 120],
      [0, 0, 7, 20, 60],
      [0, 0, 7, 14, 50],
    ],
  }),
  onTenLines({
    name: 'lively',
    volatility: 'medium',
    counts: five([2, 2, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1]),
    pays: [
      [0, 11, 110, 550, 2200],
      [0, 6, 65, 260, 1300],
      [0, 0, 45, 170, 650],
      [0, 0, 26, 95, 350],
      [0, 0, 18, 55, 170],
      [0, 0, 11, 32, 110],
      [0, 0, 9, 22, 65],
      [0, 0, 6, 12, 45],
    ],
  }),
  onTenLines({
    name: 'bold',
    volatility: 'high',
    counts: five([1, 2, 3, 4, 6, 7, 8], [1, 1, 1, 1, 1]),
    pays: [
      [0, 22, 210, 1300, 10600],
      [0, 11, 130, 850, 5300],
      [0, 0, 85, 320, 1700],
      [0, 0, 40, 150, 650],
      [0, 0, 22, 65, 250],
      [0, 0, 8, 26, 110],
      [0, 0, 6, 16, 65],
      [0, 0, 4, 12, 40],
    ],
  }),
  onTenLines({
    name: 'daring',
    volatility: 'high',
    counts: five([1, 2, 2, 5, 6, 7, 8], [1, 1, 2, 1, 1]),
    pays: [
      [0, 16, 150, 950, 7700],
      [0, 8, 95, 600, 3900],
      [0, 0, 60, 230, 1200],
      [0, 0, 50, 150, 700],
      [0, 0, 16, 50, 170],
      [0, 0, 8, 24, 85],
      [0, 0, 6, 16, 50],
      [0, 0, 4, 10, 30],
    ],
  }),
];

export const classicSlots: readonly SlotModel[] = [
  onFiveLines({
    name: 'orchard',
    volatility: 'low',
    counts: three([1, 2, 3, 4, 5, 6, 6]),
    pays: [
      [0, 0, 230],
      [0, 0, 90],
      [0, 0, 45],
      [0, 0, 24],
      [0, 0, 14],
      [0, 2, 9],
      [0, 0, 7],
    ],
  }),
  onFiveLines({
    name: 'arcade',
    volatility: 'medium',
    counts: three([2, 2, 3, 4, 5, 5, 5]),
    pays: [
      [0, 0, 100],
      [0, 0, 60],
      [0, 0, 26],
      [0, 0, 16],
      [0, 0, 8],
      [0, 0, 6],
      [0, 0, 5],
    ],
  }),
  onFiveLines({
    name: 'saloon',
    volatility: 'high',
    counts: three([1, 1, 2, 4, 6, 6, 7]),
    pays: [
      [0, 0, 700],
      [0, 0, 200],
      [0, 0, 80],
      [0, 0, 28],
      [0, 0, 14],
      [0, 0, 11],
      [0, 0, 5],
    ],
  }),
];
