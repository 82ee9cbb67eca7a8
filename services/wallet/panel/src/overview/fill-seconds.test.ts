// The live plot divides its window into steps of five seconds. The figures of each second are added to the
// step that contains the second.
import { expect, it } from 'vitest';
import { fillSeconds } from './fill-seconds.ts';

const second = (at: number, bets: string, wins: string) => ({
  at,
  bets,
  wins,
  revenue: '0',
  movements: 1,
});

it('the live plot shows steps without movements as zero and omits seconds before its window', () => {
  const at = new Date(1_000_000_004_000).toISOString();
  const seconds = [
    second(1_000_000_001, '1.50', '0'),
    second(1_000_000_003, '0.50', '4'),
    second(999_999_999, '7', '0'),
    second(999_000_000, '9', '9'),
  ];
  const filled = fillSeconds({ at, window_seconds: 15, seconds });
  expect(filled).toEqual({
    times: [999_999_990, 999_999_995, 1_000_000_000],
    bets: [0, 7, 2],
    wins: [0, 0, 4],
  });
});
