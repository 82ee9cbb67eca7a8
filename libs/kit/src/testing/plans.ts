// Counts the rows that statements read from large tables, for tests of lists.
import type { Db, QueryRequest } from '../postgres/db.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

const countRead = (scan: Plan): number =>
  scan['Actual Loops'] *
  (scan['Actual Rows'] +
    (scan['Rows Removed by Filter'] ?? 0) +
    (scan['Rows Removed by Index Recheck'] ?? 0));

/**
 * Runs the queries among the statements, counts the rows that they read from the large tables, and lists the
 * large tables that they read completely.
 */
export async function measureReads(
  db: Db,
  statements: readonly QueryRequest[],
  largeTables: readonly string[],
): Promise<{ read: number; whole: (string | undefined)[] }> {
  const isLarge = ({ 'Relation Name': name = '' }: Plan) =>
    largeTables.some((table) => name === table || name.startsWith(`${table}_`));
  const scans: Plan[] = [];
  for (const { text, values = [] } of statements) {
    if (!/^\s*(select|with|\()/i.test(text)) continue;
    const explained = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, format json) ${text}`,
      values,
    );
    const [found] = explained.rows[0]?.['QUERY PLAN'] ?? [];
    if (found) scans.push(...flatten(found.Plan).filter(isLarge));
  }
  // A scan of an empty partition is ignored, because it reads nothing. The partition of a future day is
  // empty.
  const whole = scans.filter((scan) => scan['Node Type'] === 'Seq Scan' && countRead(scan) > 0);
  return {
    read: scans.reduce((sum, scan) => sum + countRead(scan), 0),
    whole: whole.map((scan) => scan['Relation Name']),
  };
}
