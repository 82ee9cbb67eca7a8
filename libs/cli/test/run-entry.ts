// Runs `counterfoil …` inside the process of the test and captures its output.
import type { Environment } from '@counterfoil/kit/process/config';
import type { Machine } from '../src/doctor/machine.ts';
import { runCounterfoil } from '../src/entry/run-counterfoil.ts';

interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface Entry {
  /** Runs the command for a terminal of 80 columns and returns its output. */
  readonly run: (...words: string[]) => Promise<Outcome>;
  /**
   * Runs the command with `--json` and returns the printed document. Throws if standard output is not one
   * JSON document.
   */
  readonly json: (...words: string[]) => Promise<{ status: number; document: unknown }>;
}

export function openEntry(given: { env: Environment; input?: string; machine?: Partial<Machine> }): Entry {
  const run = async (...words: string[]): Promise<Outcome> => {
    const out: string[] = [];
    const err: string[] = [];
    const status = await runCounterfoil(words, {
      env: given.env,
      print: (line) => void out.push(line),
      note: (line) => void err.push(line),
      columns: 80,
      readInput: async () => given.input ?? '',
      ...(given.machine && { machine: given.machine }),
    });
    return { status, out: out.join('\n'), err: err.join('\n') };
  };
  return {
    run,
    json: async (...words) => {
      const { status, out } = await run(...words, '--json');
      return { status, document: JSON.parse(out) };
    },
  };
}
