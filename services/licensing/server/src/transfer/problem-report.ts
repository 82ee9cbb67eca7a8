// Reports the problems of an import: the first 20 on the terminal, all of them in a file.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { stringify } from 'csv-stringify/sync';
import type { RowProblem } from './row.ts';

const maxPrinted = 20;
/** The maximum number of problems in the report. A file of the wrong kind has a problem in every row. */
const maxStored = 100_000;

/**
 * Opens the report. Call this function before the import begins, so that the import does not begin if the
 * report cannot be written.
 */
export async function openProblemReport(file: string | undefined, source: string) {
  if (file !== undefined && (await isSameFile(file, source)))
    throw new CommandRefused(`--errors ${file} is the file to be imported`);
  const stream = file === undefined ? undefined : await openStream(file);
  const first: RowProblem[] = [];
  let count = 0;
  return {
    add: (problem: RowProblem): void => {
      count++;
      if (first.length < maxPrinted) first.push(problem);
      if (count > maxStored) return;
      stream?.write(stringify([[problem.line, problem.field, problem.reason]]));
    },
    /** Prints the first problems, the number of the other problems, and the name of the report file. */
    finish: async (print: (line: string) => void): Promise<void> => {
      for (const { line, field, reason } of first) print(`  line ${line}: ${field} ${reason}`);
      if (count > first.length) {
        const more = (count - first.length).toLocaleString('en');
        print(`  … and ${more} more${file === undefined ? '; use --errors FILE to store all' : ''}`);
      }
      const failure = stream && (await end(stream));
      const stored = count > maxStored ? `The first ${maxStored.toLocaleString('en')} are` : 'All are';
      if (failure) print(`  The report could not be written to ${file}: ${failure.message}`);
      else if (stream && count > 0) print(`  ${stored} in ${file}`);
    },
  };
}

/**
 * Whether two paths name the same file. A report must not be written to the imported file, because opening
 * that file for writing would empty it.
 */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((file) => stat(file).catch(() => null)));
  return Boolean(first && second && first.dev === second.dev && first.ino === second.ino);
}

async function openStream(file: string): Promise<WriteStream> {
  const stream = createWriteStream(file, { mode: 0o600 });
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new CommandRefused(`--errors ${file} cannot be written: ${(error as Error).message}`);
  }
  // The import continues if the disk is full; the failure is reported at the end.
  stream.on('error', () => {});
  stream.write('line,field,reason\n');
  return stream;
}

async function end(stream: WriteStream): Promise<Error | null> {
  if (!stream.closed) {
    stream.end();
    await finished(stream).catch(() => {});
  }
  return stream.errored;
}
