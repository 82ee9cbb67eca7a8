// Renders the figures of docs/operate/scale.md and inserts them between their marks.

import { fileURLToPath } from 'node:url';
import type { Costs } from './costs.ts';
import {
  comfortable,
  findBottleneck,
  findCapacity,
  findRoundShareBytes,
  findUse,
  type Layout,
  type OperationCosts,
  perDay,
  planLayout,
} from './demand.ts';
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
    operations: renderOperations(costs),
    costs: renderCosts(costs),
    cores: renderCores(costs),
    loads: renderLoads(costs),
    process: renderProcess(costs),
    packages: renderPackages(costs),
    validations: renderValidations(costs),
  };
}

interface Operation extends OperationCosts {
  readonly name: string;
  readonly perSecond: number;
}

const listOperations = (costs: Costs): Operation[] => [
  { ...costs, name: 'movement: `user/update_balance`', perSecond: costs.updateRate },
  {
    name: 'callback: `game/callback`, mixed',
    serviceUs: costs.callbackServiceUs,
    postgresUs: costs.callbackPostgresUs,
    walBytes: costs.callbackWalBytes,
    perSecond: costs.callbackRate,
  },
  {
    name: 'read: `user/balance`',
    serviceUs: costs.readServiceUs,
    postgresUs: costs.readPostgresUs,
    walBytes: 0,
    perSecond: costs.readRate,
  },
  {
    name: 'validation: `purchases/validation`',
    serviceUs: costs.validationServiceUs,
    postgresUs: costs.validationPostgresUs,
    walBytes: 0,
    perSecond: costs.validationRate,
  },
];

function renderOperations(costs: Costs): string {
  const head = ['Operation', 'CPU of the service', 'CPU of PostgreSQL', 'WAL', 'One process on 2 cores'];
  const source = costs.measured.includes('serviceUs')
    ? `These costs were measured on ${costs.machine}, on ${costs.days.join(' and ')}.`
    : 'These costs are estimates: `npm run bench -- hot` has not been run since this table was added.';
  return [
    table(
      head,
      listOperations(costs).map((each) => [
        ...[each.name, `${whole(each.serviceUs)} µs`, `${whole(each.postgresUs)} µs`],
        ...[each.walBytes > 0 ? `${whole(each.walBytes)} B` : '–', `${whole(each.perSecond)}/s`],
      ]),
    ),
    '',
    `${source} The last column is the rate of one process while PostgreSQL and the load generator used the ` +
      'same 2 cores. Reads were measured without writes.',
  ].join('\n');
}

function renderCores(costs: Costs): string {
  const head = ['Operation', 'Cores', 'Requests/s', 'Cores of PostgreSQL', 'WAL', 'Packages, at least'];
  const rows = listOperations(costs).flatMap((each) =>
    [4, 16, 64].map((cores) => {
      const { rate, postgresCores, walMbPerSecond, packages } = findCapacity(cores, each, costs);
      const wal = each.walBytes > 0 ? `${whole(walMbPerSecond)} MB/s` : '–';
      const journals = each.walBytes > 0 ? whole(packages) : '–';
      return [each.name, whole(cores), whole(rate), whole(postgresCores), wal, journals];
    }),
  );
  const most = costs.engineRate * comfortable;
  const fullCores = (most * costs.serviceUs) / 1e6 / comfortable;
  return [
    table(head, rows),
    '',
    `One package reaches ${whole(most)} movements per second at ${share(comfortable)} of its maximum ` +
      `(${whole(costs.engineRate)}/s). ${fullCores.toFixed(1)} cores for service processes are enough ` +
      'for this rate. From there on, more cores help only if there are more packages.',
  ].join('\n');
}

function renderCosts(costs: Costs): string {
  const from = (name: keyof Costs) => (costs.measured.includes(name) ? 'measured' : 'assumed');
  const on200k = 'measured on 200,000 rows';
  const rows = [
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
  const callbackCost = costs.callbackServiceUs / costs.serviceUs;
  return [
    table(['Cost of a movement', 'Figure', 'From'], rows),
    '',
    `A callback costs the service ${callbackCost.toFixed(2)} times as much as \`update_balance\`. For a ` +
      'mix of callbacks, multiply the processes and percentages in the section “The first bottleneck” ' +
      `by ${callbackCost.toFixed(2)}.`,
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
      'whose expected wait, by the duration of the last batches, exceeds 750 ms.',
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
