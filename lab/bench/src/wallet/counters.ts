// The costs of a run: transactions, WAL, statements, and CPU time by process.
import type { Db } from '@counterfoil/kit/postgres/db';
import { readFamilyCpuMs } from '../machine/processes.ts';

export interface Counters {
  /** The number of PostgreSQL transactions that wrote. Only a transaction that writes gets an id. */
  readonly transactions: number;
  readonly walBytes: number;
  readonly statements: number;
  readonly movements: number;
  /** Undefined on systems without /proc. */
  readonly postgresCpuMs: number | undefined;
}

export interface Watched {
  readonly db: Db;
  readonly packageId: number;
  readonly postgresPid: number;
}

/**
 * Reads the counters with one statement. The statement needs no transaction id, so it does not count as a
 * transaction.
 */
export async function readCounters(watched: Watched): Promise<Counters> {
  const { rows } = await watched.db.query<Record<string, number>>({
    name: 'bench_counters',
    text: `select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as transactions,
             pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal_bytes,
             (select sum(calls)::float8 from pg_stat_statements s
              join pg_database d on d.oid = s.dbid
              where d.datname = current_database() and s.toplevel) as statements,
             (select sequence::float8 from ledger_heads where package_id = $1) as movements`,
    values: [watched.packageId],
  });
  const row = rows[0] ?? {};
  return {
    transactions: row.transactions ?? 0,
    walBytes: row.wal_bytes ?? 0,
    statements: row.statements ?? 0,
    movements: row.movements ?? 0,
    postgresCpuMs: readFamilyCpuMs(watched.postgresPid),
  };
}

export type Costs = Record<Exclude<keyof Counters, 'movements'>, number | undefined>;

/**
 * Returns the average costs of a movement between two readings. The costs of the first reading itself are not
 * included.
 */
export function costPerMovement(before: Counters, after: Counters): Costs {
  const movements = after.movements - before.movements;
  const per = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? undefined : (to - from) / movements;
  return {
    transactions: per(before.transactions, after.transactions),
    walBytes: per(before.walBytes, after.walBytes),
    statements: per(before.statements + 1, after.statements),
    postgresCpuMs: per(before.postgresCpuMs, after.postgresCpuMs),
  };
}
