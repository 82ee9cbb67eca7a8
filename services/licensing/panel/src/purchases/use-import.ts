// Uploads a file for import and reads the progress lines of the response.
import { describeProblem } from '@counterfoil/ui/api/problem.ts';
import { sendFile } from '@counterfoil/ui/api/send-file.ts';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Heading } from './read-heading.ts';

export type Counts = Readonly<
  Record<'read' | 'inserted' | 'updated' | 'unchanged' | 'conflicts' | 'invalid', number>
>;

export interface UnknownColumn {
  /** The heading of the column; empty if the column has no heading. */
  readonly column: string;
  readonly position?: number;
  /**
   * If set, this column was not assigned to the named field, because another column is already assigned to
   * that field.
   */
  readonly second_for?: string;
  readonly nearest?: string;
}

export interface ImportDone {
  readonly counts: Counts;
  readonly dry_run: boolean;
  readonly problems: readonly { line: number; field: string; reason: string }[];
  readonly problem_count: number;
  /** At most 50 columns are listed. */
  readonly unknown_columns: readonly UnknownColumn[];
  readonly unknown_column_count: number;
}

interface Line {
  readonly progress?: Counts & { readonly part: number };
  readonly done?: ImportDone;
  readonly failed?: { readonly msg: string };
}

interface Job {
  readonly file: File;
  readonly heading: Heading;
  readonly map: Readonly<Record<string, string>>;
  readonly update: boolean;
  readonly preset: string;
  readonly dryRun: boolean;
}

/** Reads the last complete line. The text after it may be the start of a line that is still arriving. */
function readLast(text: string): Line {
  const lines = text.split('\n').filter((line) => line !== '');
  const last = text.endsWith('\n') ? lines.at(-1) : lines.at(-2);
  return last === undefined ? {} : (JSON.parse(last) as Line);
}

export function useImport() {
  const { base } = useTenant();
  const client = useQueryClient();
  const [isRunning, setIsRunning] = useState(false);
  const [sent, setSent] = useState(0);
  const [progress, setProgress] = useState<Line['progress']>();
  const [done, setDone] = useState<ImportDone>();
  const [failure, setFailure] = useState<string>();

  const reset = () => {
    setSent(0);
    setProgress(undefined);
    setDone(undefined);
    setFailure(undefined);
  };
  const run = async ({ file, heading, map, preset, update, dryRun }: Job) => {
    reset();
    setIsRunning(true);
    try {
      const text = await sendFile(`${base}/purchases/import`, {
        method: 'POST',
        file,
        type: heading.format === 'csv' ? 'text/csv' : 'application/x-ndjson',
        query: {
          format: heading.format,
          delimiter: heading.delimiter,
          dry_run: String(dryRun),
          update: String(update),
          preset,
          map: Object.entries(map).map(([field, column]) => `${field}=${column}`),
        },
        onSent: setSent,
        onAnswer: (answer) => setProgress((before) => readLast(answer).progress ?? before),
      });
      const { done: finished, failed } = readLast(text);
      setDone(finished);
      setFailure(failed?.msg);
    } catch (error) {
      setFailure(describeProblem(error));
    } finally {
      setIsRunning(false);
      await client.invalidateQueries();
    }
  };
  return { run, reset, isRunning, sent, progress, done, failure };
}
