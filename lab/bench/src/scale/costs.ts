// The costs of one movement, read from the last measurements or else assumed.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface Costs {
  /** CPU time of the service and of PostgreSQL per movement (`update_balance`), in microseconds. */
  readonly serviceUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
  /** The same costs per game callback, on average over bets, wins, rollbacks and balance reads. */
  readonly callbackServiceUs: number;
  readonly callbackPostgresUs: number;
  readonly callbackWalBytes: number;
  /** CPU times per `user/balance`, and per validation of licensing. */
  readonly readServiceUs: number;
  readonly readPostgresUs: number;
  readonly validationServiceUs: number;
  readonly validationPostgresUs: number;
  readonly commitsPerMovement: number;
  /** Movements per second of one ledger engine, which is the maximum of one package. */
  readonly engineRate: number;
  /** Requests per second over HTTP, on the machine that was measured. */
  readonly updateRate: number;
  readonly callbackRate: number;
  readonly readRate: number;
  readonly validationRate: number;
  /** Bytes of journal and indexes per movement, by `pg_total_relation_size` of 200,000 rows. */
  readonly journalBytes: number;
  /** Bytes of one round with a bet and a win, also by `pg_total_relation_size`. */
  readonly roundBytes: number;
  /** Duration of one WAL flush on a server's disk, in microseconds. */
  readonly flushUs: number;
  /** The names of the costs that were measured. All other costs are assumptions. */
  readonly measured: readonly string[];
  /** The dates of the measurements, and the machines on which they were made. */
  readonly days: readonly string[];
  readonly machine: string;
}

const assumed = {
  serviceUs: 96,
  postgresUs: 47,
  walBytes: 579,
  callbackServiceUs: 112,
  callbackPostgresUs: 76,
  callbackWalBytes: 990,
  readServiceUs: 75,
  readPostgresUs: 15,
  validationServiceUs: 88,
  validationPostgresUs: 29,
  commitsPerMovement: 0.016,
  engineRate: 16_900,
  updateRate: 7139,
  callbackRate: 3459,
  readRate: 9000,
  validationRate: 9745,
  journalBytes: 283,
  roundBytes: 212,
  flushUs: 500,
};

type Cost = keyof typeof assumed;

const ids: Partial<Record<Cost, string>> = {
  serviceUs: 'hot.update_balance.service',
  postgresUs: 'hot.update_balance.postgres',
  walBytes: 'hot.update_balance.wal',
  callbackServiceUs: 'hot.callbacks.service',
  callbackPostgresUs: 'hot.callbacks.postgres',
  callbackWalBytes: 'hot.callbacks.wal',
  readServiceUs: 'hot.balance.service',
  readPostgresUs: 'hot.balance.postgres',
  validationServiceUs: 'hot.validation.service',
  validationPostgresUs: 'hot.validation.postgres',
  updateRate: 'hot.update_balance.rate',
  callbackRate: 'hot.callbacks.rate',
  readRate: 'hot.balance.rate',
  validationRate: 'hot.validation.rate',
  commitsPerMovement: 'wallet.commits',
  engineRate: 'wallet.engine',
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
  const machines = new Set<string>();
  for (const [name, id] of Object.entries(ids) as [Cost, string][]) {
    const entry = entries.find((each) => each.id === id);
    if (typeof entry?.value !== 'number' || !(entry.value > 0)) continue;
    costs[name] = entry.value;
    measured.push(name);
    if (typeof entry.date === 'string') days.add(entry.date.slice(0, 10));
    if (typeof entry.machine === 'string') machines.add(entry.machine.split(',', 1)[0] ?? '');
  }
  const machine = [...machines].join(' and ') || '2 virtual cores';
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
