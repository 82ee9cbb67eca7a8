// Runs the tests once per mutant in one Vitest instance, and lists the mutants that no test detected.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { type Mutant, makeMutants } from './make-mutants.ts';
import { equivalents } from './mutant-equivalents.ts';
import { type MutantTarget, mutantTargets } from './mutant-targets.ts';

interface Survivor extends Mutant {
  readonly file: string;
}

export interface MutantScore {
  readonly name: string;
  readonly made: number;
  readonly killed: number;
  readonly survivors: readonly Survivor[];
}

/** A mutant can cause an endless loop. A run that exceeds this time is ended and counts as detected. */
const patienceMs = 60_000;

function endWorkers(): void {
  const found = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'vitest'], {
    encoding: 'utf8',
  });
  for (const pid of found.stdout.split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
}

interface Runner {
  /** Whether every test passes if the file has this text. Undefined stands for the original text. */
  passes(file: string, text: string | undefined): Promise<boolean>;
  close(): Promise<void>;
}

async function openRunner(root: string, target: MutantTarget): Promise<Runner> {
  let current: { file: string; text: string } | undefined;
  const vitest: Vitest = await createVitest(
    'test',
    {
      root,
      watch: false,
      include: [...target.tests],
      reporters: [{}],
      bail: 1,
      // Leaves out the longest random tests, because their many cases detect no further mutants.
      testNamePattern: /^(?!.*(?:million|00,000))/,
      maxWorkers: 1,
      ...(!target.database && { globalSetup: [] }),
    },
    {
      // The files on disk stay unchanged. The plugin gives the mutated text to tests that import the file.
      server: { watch: null },
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load: (id: string) => {
            const [path] = id.split('?');
            return current?.file === path ? current?.text : undefined;
          },
        },
      ],
    },
  );
  await vitest.standalone();
  const tests = await vitest.globTestSpecifications();
  if (tests.length !== target.tests.length) throw new Error(`${target.name}: a test is missing`);
  return {
    passes: async (file, text) => {
      const path = join(root, file);
      current = text === undefined ? undefined : { file: path, text };
      vitest.invalidateFile(path);
      const timer = setInterval(endWorkers, patienceMs);
      const run = vitest.runTestSpecifications(tests);
      const { testModules, unhandledErrors } = await run.finally(() => clearInterval(timer));
      vitest.invalidateFile(path);
      return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
    },
    close: () => vitest.close(),
  };
}

function isEquivalent(file: string, source: string, mutant: Mutant): boolean {
  const line = source.split('\n')[mutant.line - 1] ?? '';
  return equivalents.some(
    ({ file: where, on, before, after }) =>
      where === file &&
      on.test(line) &&
      before.test(mutant.before) &&
      (after === undefined || after.test(mutant.after)),
  );
}

async function runTarget(
  root: string,
  target: MutantTarget,
  options: { every: number; say: (line: string) => void },
): Promise<MutantScore> {
  const runner = await openRunner(root, target);
  const survivors: Survivor[] = [];
  let made = 0;
  try {
    for (const file of target.sources) {
      const source = await readFile(join(root, file), 'utf8');
      if (!(await runner.passes(file, undefined))) throw new Error('the tests fail without a mutant');
      const mutants = makeMutants(file, source)
        .filter((mutant) => !isEquivalent(file, source, mutant))
        .filter((_, i) => i % options.every === 0);
      const [madeBefore, survivedBefore] = [made, survivors.length];
      for (const mutant of mutants) {
        made++;
        const text = source.slice(0, mutant.start) + mutant.after + source.slice(mutant.end);
        const startedAt = Date.now();
        const survived = await runner.passes(file, text);
        if (survived) survivors.push({ file, ...mutant });
        // Mutants that survived or were ended are printed immediately, because all mutants of a target take
        // minutes.
        const wasEnded = Date.now() - startedAt >= patienceMs;
        if (survived || wasEnded) {
          options.say(`${survived ? 'survived' : 'ended'}: ${file}:${mutant.line} ${mutant.kind}`);
        }
      }
      const [fresh, left] = [made - madeBefore, survivors.length - survivedBefore];
      options.say(`${target.name}: ${file}: ${fresh - left} of ${fresh} killed`);
    }
  } finally {
    await runner.close();
  }
  return { name: target.name, made, killed: made - survivors.length, survivors };
}

const addScores = (one: MutantScore, other: MutantScore): MutantScore => ({
  name: one.name,
  made: one.made + other.made,
  killed: one.killed + other.killed,
  survivors: [...one.survivors, ...other.survivors],
});

/**
 * Keeps all sources if `only` is undefined or the name of the target. Otherwise keeps the sources whose path
 * contains `only`.
 */
function chooseSources(target: MutantTarget, only: string | undefined): MutantTarget {
  if (only === undefined || target.name === only) return target;
  return { ...target, sources: target.sources.filter((path) => path.includes(only)) };
}

/** Mutates all targets, or only the chosen sources. `every: 3` runs every third mutant. */
export async function runMutants(
  root: string,
  options: { only: string | undefined; every: number; say: (line: string) => void },
): Promise<MutantScore[]> {
  const scores = new Map<string, MutantScore>();
  for (const each of mutantTargets) {
    const target = chooseSources(each, options.only);
    if (target.sources.length === 0) continue;
    const score = await runTarget(root, target, options);
    const before = scores.get(target.name);
    scores.set(target.name, before ? addScores(before, score) : score);
  }
  return [...scores.values()];
}
