// What is wrong with which row: all of it in a file, the first of it on the terminal.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import type { RowProblem } from './row.ts';

const shownAtMost = 20;
/** A file of the wrong kind has a problem per row; nobody reads a million of them. */
const keptAtMost = 100_000;

export interface ProblemReport {
  add(problem: RowProblem): void;
  /** Prints the first of them, and says where the rest is. */
  finish(print: (line: string) => void): Promise<void>;
}

export function openProblemReport(file: string | undefined): ProblemReport {
  const first: RowProblem[] = [];
  let count = 0;
  let stream: WriteStream | undefined;
  return {
    add: (problem) => {
      count++;
      if (first.length < shownAtMost) first.push(problem);
      if (file === undefined || count > keptAtMost) return;
      if (!stream) {
        stream = createWriteStream(file, { mode: 0o600 });
        stream.write('line,field,reason\n');
      }
      stream.write(stringify([[problem.line, problem.field, problem.reason]]));
    },
    finish: async (print) => {
      for (const { line, field, reason } of first) print(`  line ${line}: ${field} ${reason}`);
      if (count > first.length) {
        const more = (count - first.length).toLocaleString('en');
        print(`  … and ${more} more${file === undefined ? '; --errors FILE keeps them' : ''}`);
      }
      if (!stream) return;
      stream.end();
      await once(stream, 'close');
      const kept =
        count > keptAtMost ? `the first ${keptAtMost.toLocaleString('en')} are` : 'All are';
      print(`  ${kept} in ${file}`);
    },
  };
}
