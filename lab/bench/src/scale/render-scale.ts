// Renders the figures of docs/operate/scale.md and puts them between their marks.

import { fileURLToPath } from 'node:url';
import type { Costs } from './costs.ts';
import {
  findFirstToGive,
  findRoundShareBytes,
  findUse,
  type Layout,
  perDay,
  planLayout,
} from './demand.ts';
import { simulate } from './simulate.ts';

/** A thousand movements a second, which two virtual cores sustain. */
const today = 1000;
const machine = { coresPerPrimary: 16, diskMbPerSecond: 500, busiestShare: 0.1 };
const laptop: Layout = { ...machine, coresPerPrimary: 1, processes: 1, primaries: 1 };

const whole = (value: number) => Math.round(value).toLocaleString('en');
const share = (value: number) => `${whole(value * 100)} %`;
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');

/** Sections by their names in the page. */
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
  const from = (name: keyof Costs) => (costs.measured.includes(name) ? 'measured' : 'stated');
  const on200k = 'measured on 200,000 rows';
  const rows = [
    ['processor, service', `${whole(costs.serviceUs)} µs`, from('serviceUs')],
    ['processor, PostgreSQL', `${whole(costs.postgresUs)} µs`, from('postgresUs')],
    [
      'log (WAL)',
      `${whole(costs.walBytes)} B`,
      `${from('walBytes')}, steady; right after a checkpoint several times as much`,
    ],
    ['commits', costs.commitsPerMovement.toFixed(3), `${from('commitsPerMovement')} at 64 callers`],
    ['disk, a transfer', `${costs.journalBytes} B`, `${on200k}: the journal, 83 B of it indexes`],
    [
      'disk, half a round of a bet and a win',
      `${whole(findRoundShareBytes(costs))} B`,
      `the same: the journal, and half of a round (${costs.roundBytes} B) that the win closes`,
    ],
    [
      'one package, at most',
      `${whole(costs.engineRate)}/s`,
      `${from('engineRate')}: the engine without HTTP; a package's head is moved by one writer at a time`,
    ],
  ];
  const dates = costs.days.length > 0 ? ` Measured on ${costs.days.join(' and ')}.` : '';
  const callbacks = costs.callbackRate / costs.updateRate;
  return [
    table(['Cost', 'Figure', 'From'], rows),
    '',
    `They are those of \`update_balance\`: ${whole(costs.updateRate)} a second over HTTP on ` +
      `${costs.machine}.${dates}`,
    `Callbacks of games write more: a mix of them reached ${whole(costs.callbackRate)} a ` +
      `second, ${callbacks.toFixed(2)} of that. For such a mix,`,
    `take ${(1 / callbacks).toFixed(1)} times the processes and processors below.`,
  ].join('\n');
}

function renderLoads(costs: Costs): string {
  const head = [
    ...['Times', 'Movements/s', 'One process, one core for PostgreSQL: first to give'],
    ...['Processes', 'Primaries', 'Fullest part then', 'Log', 'Log a day'],
    ...['Rows a day: transfers', 'Rows a day: rounds'],
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
  const first = findFirstToGive(alone);
  const layout = planLayout(rate, costs, machine);
  const use = findUse(rate, costs, layout);
  const fullest = findFirstToGive(use);
  const { logGb, transfersGb, roundsGb } = perDay(rate, costs);
  return [
    ...[whole(times), whole(rate), `${first} at ${share(alone[first])}`],
    ...[whole(layout.processes), whole(layout.primaries), `${fullest} at ${share(use[fullest])}`],
    ...[`${((rate * costs.walBytes) / 1e6).toFixed(1)} MB/s`, `${whole(logGb)} GB`],
    ...[`${whole(transfersGb)} GB`, `${whole(roundsGb)} GB`],
  ];
}

function renderProcess(costs: Costs): string {
  const head = ['One process at', 'Batch', 'Commits per movement', 'Half within', '99 % within'];
  const { serviceUs, postgresUs } = costs;
  const rates = [100, 1000, 3000, 6000, 9000, 12_000];
  return [
    table(
      [...head, 'Refused of the first 60,000'],
      rates.map((rate) => renderRate(rate, costs)),
    ),
    '',
    `The simulated process does one thing after the other: ${whole(serviceUs)} + ` +
      `${whole(postgresUs)} µs, so it gives in at`,
    `${whole(1e6 / (serviceUs + postgresUs))} a second. The real one answers some callers ` +
      `while PostgreSQL writes for others, and took ${whole(costs.updateRate)} a second;`,
    'the simulation shows how batches grow and where waiting begins, not how much a process ' +
      'takes. It refuses after 1.5 s of waiting; the real one also whoever would wait 250 ms by ' +
      'what the last batches took.',
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
    'A package cannot be spread: its balances, its credit and its chain have one order, and ' +
      `one writer at a time. ${whole(engineRate)} a second are`,
    `${whole((engineRate * 86_400) / 1e6)} million a day for one customer, and ${most} % of ` +
      'all movements at 1,000×. That is the price of a ledger whose every balance can be proven.',
  ].join('\n');
}

const renderValidations = ({ validationRate, machine: on }: Costs) =>
  'Licensing writes next to nothing per validation (the request log, in batches): ' +
  `${whole(validationRate)} a second were measured on ${on}. It needs processes, not shards, ` +
  'up to some hundred thousand a second; then replicas or Citus by workspace.';

export const scalePage = fileURLToPath(
  new URL('../../../../docs/operate/scale.md', import.meta.url),
);

/** Throws if a mark has no section or a section has not exactly one mark. */
export function fillPage(page: string, sections: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(sections));
  const marks = /(<!-- npm run scale -- --write: (\w+) -->\n)(?:.|\n)*?(\n<!-- end -->)/g;
  const filled = page.replace(marks, (_, start: string, name: string, end: string) => {
    if (!left.delete(name))
      throw new Error(`docs/operate/scale.md has no place for ${name}, or two`);
    return `${start}${sections[name]}${end}`;
  });
  if (left.size > 0)
    throw new Error(`docs/operate/scale.md has no mark for ${[...left].join(', ')}`);
  return filled;
}
