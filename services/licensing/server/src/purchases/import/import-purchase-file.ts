// Imports a file of purchases on behalf of a person, and reports the rows that were not imported.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { Actor } from '../../audit/audit-event.ts';
import type { ImportCounts } from '../../transfer/batches.ts';
import type { RowProblem } from '../../transfer/row.ts';
import { importPurchases } from './import-purchases.ts';
import { type FileOptions, openPurchaseRows } from './open-purchase-rows.ts';

/** The result lists at most this number of problems. `problem_count` counts all problems. */
const maxListedProblems = 1000;

interface Wanted extends FileOptions {
  readonly file: string;
  readonly workspaceId: bigint;
  readonly actor: Actor;
  readonly dryRun: boolean;
  readonly update: boolean;
  readonly onProgress: (progress: ImportCounts & { part: number }) => void;
}

export async function importPurchaseFile(
  deps: { db: Db; masterKey: MasterKey; now: () => Date },
  wanted: Wanted,
) {
  const { workspaceId, actor, dryRun, update } = wanted;
  const open = await openPurchaseRows(wanted.file, wanted);
  const problems: RowProblem[] = [];
  let problemCount = 0;
  const counts = await importPurchases(deps, open.rows, {
    workspaceId,
    actor,
    dryRun,
    update,
    now: deps.now,
    watcher: {
      onProblem: (problem) => {
        problemCount++;
        if (problems.length < maxListedProblems) problems.push(problem);
      },
      onProgress: (counts) => wanted.onProgress({ ...counts, part: open.part() }),
    },
  });
  return {
    counts,
    dry_run: dryRun,
    problems,
    problem_count: problemCount,
    unknown_columns: open.unknownColumns(),
    unknown_column_count: open.unknownColumnCount(),
  };
}
