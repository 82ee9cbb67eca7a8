// The table of docs/scale.md: for each load, what gives in first, what it takes, and what is written.
import type { Costs } from './costs.ts';
import { findFirstToGive, findUse, type Layout, perDay, planLayout } from './demand.ts';
import { simulate } from './simulate.ts';

/** A thousand movements a second: a seventh of what two virtual cores did when they were measured. */
const today = 1000;
const machine = { coresPerPrimary: 16, diskMbPerSecond: 500, busiestShare: 0.1 };
const laptop: Layout = { ...machine, coresPerPrimary: 1, processes: 1, primaries: 1 };

const whole = (value: number) => Math.round(value).toLocaleString('en');
const share = (value: number) => `${Math.round(value * 100)} %`;

export function renderScale(costs: Costs): string {
  const lines = [
    `Measured here: ${costs.measured.join(', ') || 'nothing'}; the rest is stated in the code.`,
    '',
    '| Times | Movements/s | One process, one core for PostgreSQL: first to give | Processes | Primaries | Fullest part then | Log a day | Journal a day |',
    '|---|---|---|---|---|---|---|---|',
  ];
  for (const times of [1, 10, 100, 1000]) lines.push(renderLoad(times, costs));
  lines.push(
    '',
    '| One process at | Batch | Commits per movement | Half within | 99 % within | Refused |',
  );
  lines.push('|---|---|---|---|---|---|');
  for (const rate of [100, 1000, 3000, 6000, 9000]) lines.push(renderRate(rate, costs));
  return lines.join('\n');
}

function renderLoad(times: number, costs: Costs): string {
  const rate = times * today;
  const alone = findUse(rate, costs, laptop);
  const first = findFirstToGive(alone);
  const layout = planLayout(rate, costs, machine);
  const use = findUse(rate, costs, layout);
  const fullest = findFirstToGive(use);
  const { logGb, diskGb } = perDay(rate, costs);
  return `| ${whole(times)} | ${whole(rate)} | ${first} at ${share(alone[first])} | ${layout.processes} | ${layout.primaries} | ${fullest} at ${share(use[fullest])} | ${whole(logGb)} GB | ${whole(diskGb)} GB |`;
}

function renderRate(rate: number, costs: Costs): string {
  const seen = simulate(costs, { rate, movements: 60_000, seed: 7 });
  const cells = [
    `${whole(rate)}/s`,
    seen.meanBatch.toFixed(1),
    seen.commitsPerMovement.toFixed(3),
    `${seen.p50Ms.toFixed(1)} ms`,
    `${seen.p99Ms.toFixed(1)} ms`,
    share(seen.refused),
  ];
  return `| ${cells.join(' | ')} |`;
}
