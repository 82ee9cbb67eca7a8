// The wallet service's command: what an operator does without the panel.
import { runCommand } from '@counterfoil/kit/run-command';
import { runMain } from '@counterfoil/kit/run-main';
import { openProgram } from './operating.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);
const { columns } = process.stdout;

runMain(() => runCommand(openProgram({ print, columns })));
