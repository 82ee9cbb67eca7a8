// The entry point of `counterfoil …`: runs the command with the input and output of this process.
import { text } from 'node:stream/consumers';
import { watchOutput } from '@counterfoil/kit/process/run-command';
import { runMain } from '@counterfoil/kit/process/run-main';
import { runCounterfoil } from './entry/run-counterfoil.ts';

runMain(async () => {
  const { isReaderGone } = watchOutput();
  // The program sets the exit code and does not call exit, so that all output is written before the process
  // ends. `start` runs until it is stopped.
  process.exitCode = await runCounterfoil(process.argv.slice(2), {
    env: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    readInput: () => text(process.stdin),
    isReaderGone,
  });
});
