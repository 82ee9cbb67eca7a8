// How long what is replaced goes on working.

const overlaps = {
  '0': 0,
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
  '30d': 30 * 24 * 3_600_000,
} as const;
export type Overlap = keyof typeof overlaps;

export const overlapNames = Object.keys(overlaps) as Overlap[];
export const usualOverlap: Overlap = '24h';

export const endOfOverlap = (overlap: Overlap, at: Date): Date =>
  new Date(at.getTime() + overlaps[overlap]);
