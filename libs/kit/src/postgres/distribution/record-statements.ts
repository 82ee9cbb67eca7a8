// A `Db` without a server: it records each statement and returns given rows.
import type pg from 'pg';
import type { Db, Queryable, Tx } from '../db.ts';
import type { HotStatement } from './one-shard.ts';

/**
 * `answers` contains the rows that each statement returns, by the name of the statement. A statement without
 * a name gets its first three words as its name. A statement that is not in `answers` returns no rows.
 */
export function recordStatements(answers: Readonly<Record<string, readonly pg.QueryResultRow[]>>) {
  const statements = new Map<string, HotStatement>();
  const query: Queryable['query'] = async <Row extends pg.QueryResultRow>(
    request: Parameters<Queryable['query']>[0],
    given: readonly unknown[] = [],
  ) => {
    const { name, text, values } = typeof request === 'string' ? { text: request } : request;
    const known = name ?? text.trim().split(/\s+/).slice(0, 3).join(' ');
    statements.set(known, { name: known, text, values: values ?? given });
    const rows = [...(answers[known] ?? [])] as Row[];
    return { rows, rowCount: rows.length, command: '', oid: 0, fields: [] };
  };
  const db: Db = {
    query,
    transaction: (work) => work({ query } as Tx),
    end: async () => {},
    connections: () => ({ total: 0, idle: 0, waiting: 0 }),
  };
  return {
    db,
    get statements(): readonly HotStatement[] {
      return [...statements.values()];
    },
  };
}
