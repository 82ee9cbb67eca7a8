// Renders the figures of docs/operate/scale.md and inserts them between their marks.

import { fileURLToPath } from 'node:url';
import type { Costs } from './costs.ts';
import { findBottleneck, findRoundShareBytes, findUse, type Layout, perDay, planLayout } from './demand.ts';
import { simulate } from './simulate.ts';

/** A thousand movements per second, the load that two virtual cores sustain. */
const today = 1000;
const machine = { coresPerPrimary: 16, diskMbPerSecond: 500, busiestShare: 0.1 };
const laptop: Layout = { ...machine, coresPerPrimary: 1, processes: 1, primaries: 1 };

const whole = (value: number) => Math.round(value).toLocaleString('en');
const share = (value: number) => `${whole(value * 100)} %`;
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');

/** The sections of the page, by the names in the comments that mark them. */
export function renderScale(costs: Costs): Record<string, string> {
  return {
    costs: renderCosts(costs),
    loads: renderLoads(costs),
    process: renderProcess(costs),
    packages: renderPackages(costs),
    validations: renderValidations(costs),
  };
}

function renderCosts(costs: Costs): string {
  const from = (name: keyof Costs) => (costs.measured.includes(name) ? 'measured' : 'assumed');
  const on200k = 'measured on 200,000 rows';
  const rows = [
    ['processor, service', `${whole(costs.serviceUs)} µs`, from('serviceUs')],
    ['processor, PostgreSQL', `${whole(costs.postgresUs)} µs`, from('postgresUs')],
    [
      'WAL',
      `${whole(costs.walBytes)} B`,
      `${from('walBytes')} in steady state; several times as much after a checkpoint`,
    ],
    ['commits', costs.commitsPerMovement.toFixed(3), `${from('commitsPerMovement')} at 64 callers`],
    ['disk, a transfer', `${costs.journalBytes} B`, `${on200k}: the journal, 83 B of it indexes`],
    [
      'disk, half a round of a bet and a win',
      `${whole(findRoundShareBytes(costs))} B`,
      `${on200k}: the journal, and half of a round (${costs.roundBytes} B) that the win closes`,
    ],
    [
      'maximum of one package',
      `${whole(costs.engineRate)}/s`,
      `${from('engineRate')}: the engine without HTTP; a package has one writer at a time`,
    ],
  ];
  const dates = costs.days.length > 0 ? ` The costs were measured on ${costs.days.join(' and ')}.` : '';
  const callbacks = costs.callbackRate / costs.updateRate;
  return [
    table(['Cost', 'Figure', 'From'], rows),
    '',
    `The table shows the costs of \`update_balance\`, which reached ${whole(costs.updateRate)} calls ` +
      `per second over HTTP on ${costs.machine}.${dates}`,
    `Game callbacks write more: a mix of callbacks reached ${whole(costs.callbackRate)} per ` +
      `second, ${callbacks.toFixed(2)} of the rate of \`update_balance\`. For a mix of callbacks,`,
    `multiply the processes and the percentages in the next table by ${(1 / callbacks).toFixed(2)}.`,
  ].join('\n');
}

function renderLoads(costs: Costs): string {
  const head = [
    ...['Factor', 'Movements/s', 'Bottleneck with one service process and one PostgreSQL core'],
    ...['Processes', 'Primaries', 'Bottleneck then', 'WAL', 'WAL per day'],
    ...['Rows per day: transfers', 'Rows per day: rounds'],
  ];
  const { transfersGb, roundsGb } = perDay(today, costs);
  const year = (gb: number) => `${((gb * 365) / 1000).toFixed(1)} TB`;
  return [
    table(
      head,
      [1, 10, 100, 1000].map((times) => renderLoad(times, costs)),
    ),
    '',
    `A year at 1× is ${year(transfersGb)} of transfers, or ${year(roundsGb)} of rounds.`,
  ].join('\n');
}

function renderLoad(times: number, costs: Costs): string[] {
  const rate = times * today;
  const alone = findUse(rate, costs, laptop);
  const first = findBottleneck(alone);
  const layout = planLayout(rate, costs, machine);
  const use = findUse(rate, costs, layout);
  const fullest = findBottleneck(use);
  const { logGb, transfersGb, roundsGb } = perDay(rate, costs);
  return [
    ...[whole(times), whole(rate), `${first} at ${share(alone[first])}`],
    ...[whole(layout.processes), whole(layout.primaries), `${fullest} at ${share(use[fullest])}`],
    ...[`${((rate * costs.walBytes) / 1e6).toFixed(1)} MB/s`, `${whole(logGb)} GB`],
    ...[`${whole(transfersGb)} GB`, `${whole(roundsGb)} GB`],
  ];
}

function renderProcess(costs: Costs): string {
  const head = ['One process at', 'Batch', 'Commits per movement', 'Median latency', 'p99 latency'];
  const { serviceUs, postgresUs } = costs;
  const rates = [100, 1000, 3000, 6000, 9000, 12_000];
  return [
    table(
      [...head, 'Refused of the first 60,000'],
      rates.map((rate) => renderRate(rate, costs)),
    ),
    '',
    `The simulated process does one thing at a time (${whole(serviceUs)} + ` +
      `${whole(postgresUs)} µs per movement), so its maximum is`,
    `${whole(1e6 / (serviceUs + postgresUs))} per second. The real process answers some callers ` +
      `while PostgreSQL writes for others, and reached ${whole(costs.updateRate)} per second.`,
    'The simulation shows how batches grow and where waiting begins, not the maximum of a ' +
      'process. The simulation refuses orders after 1.5 s of waiting. The real process also refuses orders ' +
      'whose expected wait, by the duration of the last batches, exceeds 250 ms.',
  ].join('\n');
}

function renderRate(rate: number, costs: Costs): string[] {
  const seen = simulate(costs, { rate, movements: 60_000, seed: 7 });
  return [
    ...[`${whole(rate)}/s`, seen.meanBatch.toFixed(1), seen.commitsPerMovement.toFixed(3)],
    ...[`${seen.p50Ms.toFixed(1)} ms`, `${seen.p99Ms.toFixed(1)} ms`, share(seen.refused)],
  ];
}

function renderPackages({ engineRate }: Costs): string {
  const most = ((engineRate / (1000 * today)) * 100).toFixed(1);
  return [
    'A package cannot be distributed: its balances, its credit and its chain have one order, and ' +
      `one writer at a time. ${whole(engineRate)} movements per second are`,
    `${whole((engineRate * 86_400) / 1e6)} million movements per day for one customer, and ${most} % of ` +
      'all movements at 1,000×. This limit is the price of a ledger in which every balance can be proven.',
  ].join('\n');
}

const renderValidations = ({ validationRate, machine: on }: Costs) =>
  'For a validation, licensing writes only the request log, in batches: ' +
  `${whole(validationRate)} validations per second were measured on ${on}. Up to a few hundred thousand ` +
  'validations per second, licensing needs more processes, not shards; for a higher rate, it needs ' +
  'replicas or Citus by workspace.';

export const scalePage = fileURLToPath(new URL('../../../../docs/operate/scale.md', import.meta.url));

/**
 * Inserts the sections into the page. Throws unless every mark has a section and every section has exactly
 * one mark.
 */
export function fillPage(page: string, sections: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(sections));
  const marks = /(<!-- npm run scale -- --write: (\w+) -->\n)(?:.|\n)*?(\n<!-- end -->)/g;
  const filled = page.replace(marks, (_, start: string, name: string, end: string) => {
    if (!left.delete(name)) throw new Error(`docs/operate/scale.md has an unknown or repeated mark ${name}`);
    return `${start}${sections[name]}${end}`;
  });
  if (left.size > 0) throw new Error(`docs/operate/scale.md has no mark for ${[...left].join(', ')}`);
  return filled;
}
