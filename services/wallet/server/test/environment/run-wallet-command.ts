// Runs a wallet command in the process of the test, on the service of the test.
import { runCommand } from '@counterfoil/kit/process/run-command';
import { withoutLeftListeners } from '@counterfoil/kit/testing/intercept';
import { vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import type { Given } from './given.ts';

/** Runs a command and returns its output, its error message and its exit code. */
export async function runWalletCommand(
  given: Given,
  words: readonly string[],
): Promise<{ out: string; refused: string; code: number }> {
  const lines: string[] = [];
  let refused = '';
  let code = 0;
  const program = createProgram({
    run: async (work) => await work(given),
    print: (line) => void lines.push(line),
  });
  const parse = program.parseAsync.bind(program);
  program.parseAsync = () => parse(words, { from: 'user' });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    refused += String(text);
    return true;
  });
  try {
    await withoutLeftListeners(() => runCommand(program));
    code = Number(process.exitCode ?? 0);
  } finally {
    stderr.mockRestore();
    process.exitCode = 0;
  }
  return { out: lines.join('\n'), refused, code };
}
