// Measures the services and their baselines: `npm run bench`, or single suites by name.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMain } from '@counterfoil/kit/process/run-main';
import { benchContention } from './contention/bench-contention.ts';
import { benchDialects } from './dialects/bench-dialects.ts';
import { benchDisk } from './disk/bench-disk.ts';
import { benchGrowth } from './growth/bench-growth.ts';
import { benchHot } from './hot/bench-hot.ts';
import { benchLicensing } from './licensing/bench-licensing.ts';
import { describeMachine } from './machine/processes.ts';
import { type BenchOptions, type Conditions, holds, type Measurement } from './measurement.ts';
import { benchMemory } from './memory/bench-memory.ts';
import { benchOverload } from './overload/bench-overload.ts';
import { benchProfile } from './profile/bench-profile.ts';
import { drawBars } from './report/bar-plot.ts';
import { readMeasurements, type SuiteResult, saveResults } from './report/results-file.ts';
import { renderTable } from './report/table.ts';
import { benchWallet } from './wallet/bench-wallet.ts';

type Suite = (options: BenchOptions) => Promise<Measurement[]>;

const suites: Record<string, Suite> = {
  hot: benchHot,
  licensing: benchLicensing,
  wallet: benchWallet,
  contention: benchContention,
  dialects: benchDialects,
  overload: benchOverload,
  disk: benchDisk,
  growth: benchGrowth,
};
/** These suites take long. They run only if they are named on the command line. */
const onlyByName: Record<string, Suite> = { memory: benchMemory, profile: benchProfile };
const known: Record<string, Suite> = { ...suites, ...onlyByName };

const say = (line: string) => void process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    players: { type: 'string' },
    movements: { type: 'string' },
    cycle: { type: 'string' },
    watch: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
  },
});
const { quick, profile, ...given } = values;
const named = profile ? [...positionals, 'profile'] : positionals;
const wanted = named.length > 0 ? named : Object.keys(suites);
if (wanted.some((name) => !Object.hasOwn(known, name))) {
  say(`Usage: npm run bench -- [${Object.keys(known).join(' | ')}] [--quick] [--profile]`);
  say('  [--rounds 5] [--seconds 5]; docs/internals/performance.md lists the options of single suites.');
  process.exit(2);
}

const folder = fileURLToPath(new URL('../results', import.meta.url));

async function runSuite(name: string): Promise<SuiteResult> {
  const conditions: Conditions = { repeatedRounds: 0, disturbedRounds: 0 };
  const options: BenchOptions = {
    rounds: Number(given.rounds ?? (quick ? 1 : 5)),
    seconds: Number(given.seconds ?? (quick ? 1 : 5)),
    quick,
    say,
    conditions,
    plot: (plotName, svg) => plots.set(quick ? `quick-${plotName}` : plotName, svg),
    given,
  };
  const measured = await (known[name] as Suite)(options).catch((error: unknown) => {
    say(`${name} is void: ${error instanceof Error ? error.stack : error}`);
    return [voidSuite(name, error)];
  });
  return { suite: name, measured, conditions };
}

/** The result of a suite that failed. A failed suite does not stop the other suites. */
const voidSuite = (name: string, error: unknown): Measurement => ({
  id: `${name}.void`,
  title: `All of ${name}`,
  value: Number.NaN,
  unit: '',
  voidBecause: `void: ${error instanceof Error ? error.message : String(error)}`,
});

const plots = new Map<string, string>();

runMain(async () => {
  const results: SuiteResult[] = [];
  const startedAt = performance.now();
  const name = quick ? 'quick' : 'latest';
  const machine = describeMachine();
  for (const [i, suite] of wanted.entries()) {
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    say(`\n[${i + 1}/${wanted.length}] ${suite} (${minutes} min so far)`);
    results.push(await runSuite(suite));
    // Saves after each suite, so that an interrupted run keeps the results of the finished suites.
    await saveResults({ folder, name, plots: [...plots.keys()] }, results, machine);
  }
  const subtitle = `${machine.cores} × ${machine.processor}, ${new Date().toISOString().slice(0, 10)}`;
  const all = await readMeasurements(folder, name);
  plots.set(quick ? 'quick-bars' : 'bars', drawBars(all, quick ? `Quick. ${subtitle}` : subtitle));
  await mkdir(folder, { recursive: true });
  for (const [plotName, svg] of plots) await writeFile(join(folder, `${plotName}.svg`), svg);
  await saveResults({ folder, name, plots: [...plots.keys()] }, results, machine);
  const measured = results.flatMap((each) => each.measured);
  process.stdout.write(`\n${renderTable(measured)}\n`);
  if (quick) process.stdout.write('\nQuick: sizes and runs are too small for valid figures.\n');
  if (measured.some((each) => holds(each) === false)) process.exitCode = 1;
});
