// The command line of the licensing service, for operators.
import { text } from 'node:stream/consumers';
import { runCommand } from '@counterfoil/kit/process/run-command';
import { runMain } from '@counterfoil/kit/process/run-main';
import { openProgram } from './operating.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);
const readInput = () => text(process.stdin);
const { columns } = process.stdout;

runMain(() => runCommand(openProgram({ print, columns, readInput })));
