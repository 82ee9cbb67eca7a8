// Reads rows into batches, and writes one batch while the next is read.
import type { ReadRow, Row, RowProblem } from './row.ts';

export const noCounts = () => ({ read: 0, inserted: 0, updated: 0, unchanged: 0, conflicts: 0, invalid: 0 });

/** The number of rows with each outcome. */
export type ImportCounts = ReturnType<typeof noCounts>;

export interface ImportWatcher {
  onProblem(problem: RowProblem): void;
  onProgress(counts: ImportCounts): void;
}

/**
 * Reads and writes the rows. One batch is written while the next batch is read, so at most two batches are in
 * memory. Problems of reading and of writing are reported in the order of the lines.
 */
export async function runBatches<Parsed>(
  rows: AsyncIterable<ReadRow>,
  options: {
    size: number;
    counts: ImportCounts;
    watcher: ImportWatcher;
    parse: (row: Row) => Parsed | readonly RowProblem[];
    write: (batch: readonly Parsed[], onProblem: (problem: RowProblem) => void) => Promise<void>;
  },
): Promise<void> {
  const { counts, watcher } = options;
  let batch: Parsed[] = [];
  let problems: RowProblem[] = [];
  let writing: Promise<void> = Promise.resolve();
  const settle = async (full: readonly Parsed[], found: RowProblem[]) => {
    try {
      if (full.length > 0) await options.write(full, (problem) => found.push(problem));
    } finally {
      found.sort((a, b) => a.line - b.line);
      for (const problem of found) watcher.onProblem(problem);
    }
  };
  const flush = async () => {
    const [full, found] = [batch, problems];
    batch = [];
    problems = [];
    await writing;
    writing = settle(full, found);
    // The next `await writing` throws the failure. Until then, Node must not report the failure as an
    // unhandled rejection.
    writing.catch(() => {});
    watcher.onProgress(counts);
  };
  for await (const row of rows) {
    counts.read++;
    const parsed =
      'problem' in row ? [{ line: row.line, field: 'row', reason: row.problem }] : options.parse(row);
    if (!Array.isArray(parsed)) batch.push(parsed as Parsed);
    else {
      counts.invalid++;
      problems.push(...(parsed as RowProblem[]));
    }
    if (batch.length >= options.size || problems.length >= options.size) await flush();
  }
  await flush();
  await writing;
  watcher.onProgress(counts);
}
