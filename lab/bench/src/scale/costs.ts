// What one movement costs: read from the last measurements, or stated where none were taken.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface Costs {
  /** Processor time of the service and of PostgreSQL per movement, in microseconds. */
  readonly serviceUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
  readonly commitsPerMovement: number;
  /** Movements per second of one ledger engine: no package is faster, its head is moved by one. */
  readonly engineRate: number;
  /** Per second over HTTP, on the machine that was measured. */
  readonly updateRate: number;
  readonly callbackRate: number;
  readonly validationRate: number;
  /** Of the journal with its indexes, per movement; by `pg_total_relation_size` of 200,000 rows. */
  readonly journalBytes: number;
  /** Of the round around a bet and the win that closes it, by the same measure. */
  readonly roundBytes: number;
  /** How long one flush of the log takes on a disk for servers, in microseconds. */
  readonly flushUs: number;
  /** Which of these were measured here, and which are stated. */
  readonly measured: readonly string[];
  /** Days of the measurements, each once, and the processors. */
  readonly days: readonly string[];
  readonly machine: string;
}

const stated = {
  serviceUs: 96,
  postgresUs: 47,
  walBytes: 579,
  commitsPerMovement: 0.016,
  engineRate: 16_900,
  updateRate: 7139,
  callbackRate: 3459,
  validationRate: 9745,
  journalBytes: 283,
  roundBytes: 212,
  flushUs: 500,
};

type Cost = keyof typeof stated;

const ids: Partial<Record<Cost, string>> = {
  serviceUs: 'wallet.cpu.service',
  postgresUs: 'wallet.cpu.postgres',
  walBytes: 'wallet.wal',
  commitsPerMovement: 'wallet.commits',
  engineRate: 'wallet.engine',
  updateRate: 'wallet.update_balance',
  callbackRate: 'wallet.callbacks',
  validationRate: 'licensing.validation',
};

export const latestResults = fileURLToPath(new URL('../../results/latest.json', import.meta.url));

interface Entry {
  readonly id?: unknown;
  readonly value?: unknown;
  readonly date?: unknown;
  readonly machine?: unknown;
}

/** A file that is missing or holds something else leaves every cost as stated. */
export async function readCosts(path: string): Promise<Costs> {
  const entries = await readEntries(path);
  const costs: Record<Cost, number> = { ...stated };
  const measured: string[] = [];
  const days = new Set<string>();
  let machine = '2 virtual cores';
  for (const [name, id] of Object.entries(ids) as [Cost, string][]) {
    const entry = entries.find((each) => each.id === id);
    if (typeof entry?.value !== 'number' || !(entry.value > 0)) continue;
    costs[name] = entry.value;
    measured.push(name);
    if (typeof entry.date === 'string') days.add(entry.date.slice(0, 10));
    if (typeof entry.machine === 'string') machine = entry.machine.split(',')[0] ?? machine;
  }
  return { ...costs, measured, days: [...days].sort(), machine };
}

async function readEntries(path: string): Promise<readonly Entry[]> {
  try {
    const entries: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Array.isArray(entries) ? (entries as Entry[]) : [];
  } catch {
    return [];
  }
}
