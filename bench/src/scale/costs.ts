// What one movement costs: read from the last measurements, or stated where none were taken.
import { readFile } from 'node:fs/promises';

export interface Costs {
  /** Processor time of the service and of PostgreSQL per movement, in microseconds. */
  readonly serviceUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
  /** Movements per second of one ledger engine: no package is faster, its head is moved by one. */
  readonly engineRate: number;
  /** Of the journal with its indexes, per movement; by `pg_total_relation_size` of 200,000 rows. */
  readonly diskBytes: number;
  /** How long one flush of the log takes on a disk for servers, in microseconds. */
  readonly flushUs: number;
  /** Which of these were measured here, and which are stated. */
  readonly measured: readonly string[];
}

const stated = {
  serviceUs: 96,
  postgresUs: 47,
  walBytes: 579,
  engineRate: 16_900,
  diskBytes: 283,
  flushUs: 500,
};

const ids: Partial<Record<keyof typeof stated, string>> = {
  serviceUs: 'wallet.cpu.service',
  postgresUs: 'wallet.cpu.postgres',
  walBytes: 'wallet.wal',
  engineRate: 'wallet.engine',
};

/** A file that is missing or holds something else leaves every cost as stated. */
export async function readCosts(path: string): Promise<Costs> {
  const values = new Map<string, number>();
  try {
    const entries: unknown = JSON.parse(await readFile(path, 'utf8'));
    for (const entry of Array.isArray(entries) ? entries : []) {
      const { id, value } = entry as { id?: unknown; value?: unknown };
      if (typeof id === 'string' && typeof value === 'number' && value > 0) values.set(id, value);
    }
  } catch {
    values.clear();
  }
  const costs: Record<keyof typeof stated, number> = { ...stated };
  const measured: string[] = [];
  for (const [name, id] of Object.entries(ids) as [keyof typeof stated, string][]) {
    const value = values.get(id);
    if (value === undefined) continue;
    costs[name] = value;
    measured.push(name);
  }
  return { ...costs, measured };
}
