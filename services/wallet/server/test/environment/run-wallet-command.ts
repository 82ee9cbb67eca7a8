// Runs a wallet command inside the test's process, on the test's own service.
import { runCommand } from '@counterfoil/kit/process/run-command';
import { withoutLeftListeners } from '@counterfoil/kit/testing/intercept';
import { vi } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import type { Given } from './given.ts';

/** The output of a command, its error message and its exit code. */
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
