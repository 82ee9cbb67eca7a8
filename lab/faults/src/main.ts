// Injects faults into the running system and scores the results. `npm run faults -- --list` lists the faults.
import { parseArgs } from 'node:util';
import { runMain } from '@counterfoil/kit/process/run-main';
import { attackCommands } from './attacks/attack-commands.ts';
import { openTestEnvironment } from './environment/test-environment.ts';
import type { Fault } from './fault.ts';
import { createRandom, seedFor } from './random.ts';
import { faults } from './registry.ts';
import { listReached } from './scorecard/promises.ts';
import { formatReached, renderLines } from './scorecard/render.ts';
import { writeScorecard } from './scorecard/results-file.ts';
import { type Score, scoreFailure, scoreResult, scoreSkipped } from './scorecard/score.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

/** The faults with these names or groups; all faults if no name is given. */
function choose(wanted: readonly string[]): readonly Fault[] {
  const unknown = wanted.filter((word) => !faults.some((each) => matches(each, word)));
  if (unknown.length > 0) {
    say(`There is no check or group named ${unknown.join(', ')}; --list shows all names.`);
    process.exit(2);
  }
  return wanted.length === 0 ? faults : faults.filter((each) => wanted.some((word) => matches(each, word)));
}

const matches = (fault: Fault, word: string) => fault.name === word || fault.group === word;

async function runFault(fault: Fault, seed: number): Promise<Score> {
  const missing = await fault.missing?.();
  if (missing !== undefined) return scoreSkipped(fault, missing);
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const random = createRandom(seedFor(seed, fault.name));
  const setting = { random, quick: values.quick, say: (line: string) => say(`        ${line}`) };
  try {
    const environment = await openTestEnvironment(setting, fault.environment);
    const leave = () => void environment.close().finally(() => process.exit(130));
    process.once('SIGINT', leave).once('SIGTERM', leave);
    try {
      return scoreResult(fault, await fault.run(environment), elapsed());
    } finally {
      process.off('SIGINT', leave).off('SIGTERM', leave);
      await environment.close();
    }
  } catch (error) {
    return scoreFailure(fault, error, elapsed());
  }
}

runMain(async () => {
  const attack = attackCommands.get(positionals[0] ?? '');
  if (attack) {
    process.exitCode = await attack(positionals.slice(1));
    return;
  }
  const chosen = choose(positionals);
  if (values.list) {
    for (const { name, group, does } of chosen) {
      process.stdout.write(`${group.padEnd(10)}${name.padEnd(28)}${does}\n`);
    }
    return;
  }
  const seed = Number(values.seed);
  say(`${chosen.length} checks, seed ${seed}${values.quick ? ', quick' : ''}`);
  const scores: Score[] = [];
  for (const [i, fault] of chosen.entries()) {
    say(`[${i + 1}/${chosen.length}] ${fault.name}: ${fault.does}`);
    const score = await runFault(fault, seed);
    scores.push(score);
    process.stdout.write(`${renderLines(score).join('\n')}\n`);
  }
  if (values.write) {
    const names = faults.map((fault) => fault.name);
    await writeScorecard(scores, { quick: values.quick, names });
  }
  const broken = scores.filter((score) => score.verdict === 'BROKEN');
  const skipped = scores.filter((score) => score.verdict === 'skipped');
  const held = scores.length - broken.length - skipped.length;
  process.stdout.write(`${held} hold, ${broken.length} broken, ${skipped.length} skipped\n`);
  if (broken.length > 0) process.exitCode = 1;
  // A full run fails if it does not reach the required number of kills and movements.
  if (positionals.length === 0 && !values.quick) {
    const missed = listReached(scores).filter(({ isReached }) => !isReached);
    for (const each of missed) process.stdout.write(`${formatReached(each)}\n`);
    if (missed.length > 0) process.exitCode = 1;
  }
  // Exits explicitly, because callers of a failed fault may still be waiting for a service that has ended.
  process.exit();
});
