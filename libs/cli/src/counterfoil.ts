// `counterfoil …` as a process: the terminal's ends of the one door.
import { text } from 'node:stream/consumers';
import { watchOutput } from '@counterfoil/kit/process/run-command';
import { runMain } from '@counterfoil/kit/process/run-main';
import { runCounterfoil } from './door/run-counterfoil.ts';

runMain(async () => {
  const { isReaderGone } = watchOutput();
  // The process ends by itself when its output is written; start stays for as long as it runs.
  process.exitCode = await runCounterfoil(process.argv.slice(2), {
    env: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    readInput: () => text(process.stdin),
    isReaderGone,
  });
});
