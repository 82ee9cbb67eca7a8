// The commands `attacks` (attacks at full size), `mutants` (mutation tests) and `bill` (bill of materials).
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LockFile, makeBill } from './bill-of-materials.ts';
import type { MutantScore } from './mutants/run-mutants.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** The tests must detect this share of a target's mutants, and all mutants of comparisons and arithmetic. */
const wantedShare = 0.85;

async function runAttacks(only: readonly string[]): Promise<number> {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const named = only.map((name) => `lab/faults/test/attacks/${name}`);
  const files = named.length > 0 ? named : ['lab/faults/test/attacks'];
  const config = ['--config', 'tools/vitest/attacks.config.ts'];
  const args = [program, 'run', ...config, ...files];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { DEADLINE_FACTOR: '1', ...process.env, ATTACKS: 'whole' },
  });
  // Passes a signal on to the test runner, so that the test runner ends too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void child.kill(signal));
  }
  return await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

const isBoundary = ({ kind }: { kind: string }) => kind === 'comparison' || kind === 'arithmetic';

function formatScore({ name, made, killed, survivors }: MutantScore): boolean {
  const share = made === 0 ? 0 : killed / made;
  const atBoundaries = survivors.filter(isBoundary).length;
  const percent = (share * 100).toFixed(1);
  print(`${name}: ${killed} of ${made} killed (${percent} %), ${atBoundaries} survived at a boundary`);
  for (const { file, line, kind, before, after } of survivors) {
    print(`  ${file}:${line} ${kind}: ${before} → ${after}`.replace(/\s+/g, ' '));
  }
  return share >= wantedShare && atBoundaries === 0;
}

async function printMutants(only: string | undefined): Promise<number> {
  // The import is inside this function, because only this command needs Vitest.
  const { runMutants } = await import('./mutants/run-mutants.ts');
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const every = Number(process.env.MUTANTS_EVERY ?? 1);
  const scores = await runMutants(root, { only, every, say });
  if (scores.length === 0) say(`No part and no mutated source is named ${only}.`);
  return scores.length > 0 && scores.map(formatScore).every(Boolean) ? 0 : 1;
}

async function printBill(): Promise<number> {
  const lock: LockFile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  print(JSON.stringify(makeBill(lock), null, 2));
  return 0;
}

/** Commands by name. Each returns the exit code. */
export const attackCommands: ReadonlyMap<string, (rest: readonly string[]) => Promise<number>> = new Map([
  ['attacks', runAttacks],
  ['mutants', ([only]: readonly string[]) => printMutants(only)],
  ['bill', printBill],
]);
