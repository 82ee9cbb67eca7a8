// Saves the last figure of every measurement, with the machine that it was measured on.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Machine } from '../machine/processes.ts';
import { type Conditions, holds, type Measurement } from '../measurement.ts';
import { describeBar, renderMarkdownTable } from './table.ts';

const round = (value: number) => Number(value.toPrecision(4));

/** JSON has no NaN, so NaN is saved as null. */
const presentValue = (value: number) => (Number.isFinite(value) ? round(value) : null);

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly value: number | null;
  readonly unit: string;
  readonly bar: string | null;
  readonly aim: number | null;
  readonly suite?: string;
  readonly void?: string;
  readonly machine: string;
  readonly date: string;
  readonly [more: string]: unknown;
}

export interface SuiteResult {
  readonly suite: string;
  readonly measured: readonly Measurement[];
  readonly conditions: Conditions;
}

const describe = ({ cores, processor, system, node }: Machine, postgres: string | undefined) =>
  `${cores} × ${processor}, ${system}, Node ${node}${postgres ? `, PostgreSQL ${postgres}` : ''}`;

function toEntries({ suite, measured, conditions }: SuiteResult, machine: Machine): Entry[] {
  const { repeatedRounds, disturbedRounds, postgresVersion, sizes } = conditions;
  return measured.map((measurement) => ({
    id: measurement.id,
    title: measurement.title,
    value: presentValue(measurement.value),
    unit: measurement.unit,
    bar: describeBar(measurement) || null,
    aim: measurement.aim ?? null,
    holds: holds(measurement) ?? null,
    ...(measurement.voidBecause !== undefined && { void: measurement.voidBecause }),
    suite,
    ...(sizes !== undefined && { sizes }),
    machine: describe(machine, postgresVersion),
    load: round(loadavg()[0] ?? 0),
    repeated_rounds: repeatedRounds,
    disturbed_rounds: disturbedRounds,
    date: new Date().toISOString(),
  }));
}

/** Replaces the results of the suites that ran, and keeps the results of all other suites. */
export async function saveResults(
  file: { folder: string; name: string; plots: readonly string[] },
  results: readonly SuiteResult[],
  machine: Machine,
): Promise<void> {
  const path = join(file.folder, `${file.name}.json`);
  const fresh = results.flatMap((each) => toEntries(each, machine));
  const ids = new Set(fresh.map((entry) => entry.id));
  const suites = new Set(results.map((each) => each.suite));
  const kept = (await readEntries(path)).filter(
    (entry) => !ids.has(entry.id) && !suites.has(entry.suite ?? ''),
  );
  const entries = [...kept, ...fresh];
  await mkdir(file.folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(entries, null, 2)}\n`);
  await writeFile(join(file.folder, `${file.name}.md`), renderMarkdown(file, entries));
}

/** Entries in older files have no suite; the first word of their id names the suite. */
const suiteOf = (entry: Entry) => entry.suite ?? entry.id.split(/[._]/, 1)[0] ?? '';

function renderMarkdown(
  { name, plots }: { name: string; plots: readonly string[] },
  entries: readonly Entry[],
): string {
  const suites = [...new Set(entries.map(suiteOf))];
  const parts = suites.map((suite) => {
    const own = entries.filter((entry) => suiteOf(entry) === suite);
    return `## ${suite}\n\n${describeRun(own)}\n\n${renderMarkdownTable(own.map(toMeasurement))}`;
  });
  const quick = name === 'quick' ? ' (quick: too small for valid figures)' : '';
  const shown = plots.map((plot) => `![${plot}](${plot}.svg)`);
  return [`# Latest figures${quick}`, ...parts, ...shown].join('\n\n').concat('\n');
}

function describeRun(entries: readonly Entry[]): string {
  const [first] = entries;
  const disturbed = Number(first?.disturbed_rounds ?? 0);
  return [
    `${first?.date.slice(0, 10)}, ${first?.machine}, load ${first?.load}.`,
    first?.sizes === undefined ? '' : ` ${first.sizes}.`,
    disturbed > 0 ? ` **Other processes disturbed ${disturbed} of the rounds.**` : '',
  ].join('');
}

const toMeasurement = (entry: Entry): Measurement => {
  const [, sign, number] = /^([≥≤]) (.*)$/.exec(entry.bar ?? '') ?? [];
  const limit = Number(number);
  return {
    id: entry.id,
    title: entry.title,
    value: entry.value ?? Number.NaN,
    unit: entry.unit,
    ...(sign && { bar: sign === '≥' ? { atLeast: limit } : { atMost: limit } }),
    ...(entry.aim !== null && { aim: entry.aim }),
    ...(entry.void !== undefined && { voidBecause: entry.void }),
  };
};

async function readEntries(path: string): Promise<Entry[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Entry[];
  } catch {
    return [];
  }
}

export async function readMeasurements(folder: string, name: string): Promise<Measurement[]> {
  return (await readEntries(join(folder, `${name}.json`))).map(toMeasurement);
}
