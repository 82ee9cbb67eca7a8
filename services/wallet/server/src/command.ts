// The command line of the wallet service, for operators.
import { runCommand } from '@counterfoil/kit/process/run-command';
import { runMain } from '@counterfoil/kit/process/run-main';
import { openProgram } from './operating.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);
const { columns } = process.stdout;

runMain(() => runCommand(openProgram({ print, columns })));
