// A slot machine: reels stop at random, and equal symbols from the left pay along fixed lines.
import type { Draw } from './draw.ts';

/** Symbol 0 is wild: it can replace every other symbol. Of the other symbols, symbol 1 pays best. */
export interface SlotModel {
  readonly name: string;
  readonly volatility: 'low' | 'medium' | 'high';
  /** For each reel, the number of occurrences of each symbol on the reel. */
  readonly counts: readonly (readonly number[])[];
  /**
   * For each symbol, the payouts if a line starts with one, two, three and more of this symbol. A payout is a
   * multiple of the stake per line.
   */
  readonly pays: readonly (readonly number[])[];
  /** For each line, one entry per reel: the row in which the line crosses the reel. */
  readonly lines: readonly (readonly number[])[];
}

interface LineWin {
  readonly line: number;
  readonly symbol: number;
  readonly count: number;
  readonly winMinor: bigint;
}

export interface SlotResult {
  readonly winMinor: bigint;
  /** The visible symbols, by reel and then by row from the top. */
  readonly grid: number[][];
  readonly wins: LineWin[];
}

const rows = 3;

export function spinSlot(model: SlotModel, betMinor: bigint, draw: Draw): SlotResult {
  const lineStakeMinor = betMinor / BigInt(model.lines.length);
  const grid = model.counts.map((counts) => {
    const strip = makeStrip(counts);
    const stop = draw(strip.length);
    return Array.from({ length: rows }, (_, row) => strip[(stop + row) % strip.length] as number);
  });
  const wins: LineWin[] = [];
  for (const [line, path] of model.lines.entries()) {
    const found = evaluateLine(
      model,
      path.map((row, reel) => grid[reel]?.[row] as number),
    );
    if (found.pay === 0) continue;
    const { symbol, count, pay } = found;
    wins.push({ line, symbol, count, winMinor: lineStakeMinor * BigInt(pay) });
  }
  return { grid, wins, winMinor: wins.reduce((sum, win) => sum + win.winMinor, 0n) };
}

/**
 * Evaluates a line. Wilds at the start of the line count as wilds or as the symbol that follows them,
 * whichever pays more.
 */
export function evaluateLine(
  model: SlotModel,
  line: readonly number[],
): { symbol: number; count: number; pay: number } {
  const wilds = countWhile(line, (symbol) => symbol === 0);
  const symbol = line[wilds] ?? 0;
  const count = countWhile(line, (each) => each === symbol || each === 0);
  const pay = model.pays[symbol]?.[count - 1] ?? 0;
  const wildPay = wilds > 0 ? (model.pays[0]?.[wilds - 1] ?? 0) : 0;
  return wildPay > pay ? { symbol: 0, count: wilds, pay: wildPay } : { symbol, count, pay };
}

function countWhile(line: readonly number[], holds: (symbol: number) => boolean): number {
  const end = line.findIndex((symbol) => !holds(symbol));
  return end === -1 ? line.length : end;
}

/** The symbols of a reel in order. Equal symbols are spread evenly over the reel. */
export function makeStrip(counts: readonly number[]): number[] {
  const positions = counts.flatMap((count, symbol) =>
    Array.from({ length: count }, (_, i) => ({ symbol, at: (i + ((symbol * 37) % 10) / 10) / count })),
  );
  return positions.sort((a, b) => a.at - b.at || a.symbol - b.symbol).map(({ symbol }) => symbol);
}
