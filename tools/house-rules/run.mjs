// Runs a program of this folder: `node tools/house-rules/run.mjs exceptions` or `… measure [folder]`.
import { join } from 'node:path';
import { runnerImport } from 'vite';

const [program, ...args] = process.argv.slice(2);
const programs = { exceptions: 'write-exceptions.ts', measure: 'measure.ts' };
const file = programs[program];
if (file === undefined) {
  process.stderr.write(`Usage: node tools/house-rules/run.mjs ${Object.keys(programs).join(' | ')}\n`);
  process.exit(2);
}
const { module } = await runnerImport(join(import.meta.dirname, file));
await module.run(...args);
