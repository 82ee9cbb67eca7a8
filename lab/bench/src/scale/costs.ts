// The costs of one movement, read from the last measurements or else assumed.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface Costs {
  /** CPU time of the service and of PostgreSQL per movement, in microseconds. */
  readonly serviceUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
  readonly commitsPerMovement: number;
  /** Movements per second of one ledger engine, which is the maximum of one package. */
  readonly engineRate: number;
  /** Requests per second over HTTP, on the machine that was measured. */
  readonly updateRate: number;
  readonly callbackRate: number;
  readonly validationRate: number;
  /** Bytes of journal and indexes per movement, by `pg_total_relation_size` of 200,000 rows. */
  readonly journalBytes: number;
  /** Bytes of one round with a bet and a win, also by `pg_total_relation_size`. */
  readonly roundBytes: number;
  /** Duration of one WAL flush on a server's disk, in microseconds. */
  readonly flushUs: number;
  /** The names of the costs that were measured. All other costs are assumptions. */
  readonly measured: readonly string[];
  /** The dates of the measurements. */
  readonly days: readonly string[];
  readonly machine: string;
}

const assumed = {
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

type Cost = keyof typeof assumed;

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

/** Reads the costs from the results file. Without a valid file, all costs are assumed. */
export async function readCosts(path: string): Promise<Costs> {
  const entries = await readEntries(path);
  const costs: Record<Cost, number> = { ...assumed };
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
