// Reads rows into batches and works on one while the next is being read.
import type { ReadRow, Row, RowProblem } from './row.ts';

export interface ImportCounts {
  read: number;
  inserted: number;
  updated: number;
  unchanged: number;
  conflicts: number;
  invalid: number;
}

export const noCounts = (): ImportCounts => ({
  read: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  conflicts: 0,
  invalid: 0,
});

export interface ImportWatcher {
  onProblem(problem: RowProblem): void;
  onProgress(counts: ImportCounts): void;
}

/**
 * `parse` turns a row into what `write` takes by the batch. One batch is being written at most, so
 * memory holds two, however long the file is.
 */
export async function runBatches<Parsed>(
  rows: AsyncIterable<ReadRow>,
  options: {
    size: number;
    counts: ImportCounts;
    watcher: ImportWatcher;
    parse: (row: Row) => Parsed | readonly RowProblem[];
    write: (batch: readonly Parsed[]) => Promise<void>;
  },
): Promise<void> {
  const { counts, watcher } = options;
  let batch: Parsed[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    const full = batch;
    batch = [];
    await writing;
    writing = full.length > 0 ? options.write(full) : Promise.resolve();
    // Whoever awaits it next gets the failure; until then it must not count as unhandled.
    writing.catch(() => {});
    watcher.onProgress(counts);
  };
  for await (const row of rows) {
    counts.read++;
    const parsed =
      'problem' in row
        ? [{ line: row.line, field: 'row', reason: row.problem }]
        : options.parse(row);
    if (!Array.isArray(parsed)) batch.push(parsed as Parsed);
    else {
      counts.invalid++;
      for (const problem of parsed) watcher.onProblem(problem);
    }
    if (batch.length >= options.size) await flush();
  }
  await flush();
  await writing;
  watcher.onProgress(counts);
}
