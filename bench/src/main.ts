// Measures the services side by side with a yardstick: `npm run bench -- licensing wallet`.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runMain } from '@counterfoil/kit/run-main';
import { benchLicensing } from './licensing/bench-licensing.ts';
import { type BenchOptions, holds, type Measurement } from './measurement.ts';
import { mergeResults } from './results-file.ts';
import { renderTable } from './table.ts';
import { benchWallet } from './wallet/bench-wallet.ts';

const suites: Record<string, (options: BenchOptions) => Promise<Measurement[]>> = {
  licensing: benchLicensing,
  wallet: benchWallet,
};

const say = (line: string) => void process.stderr.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(suites, name));
if (positionals.length === 0 || unknown.length > 0) {
  say(
    `Usage: npm run bench -- ${Object.keys(suites).join(' | ')} [--rounds 5] [--seconds 5] [--quick]`,
  );
  process.exit(2);
}

runMain(async () => {
  const measured: Measurement[] = [];
  const rounds = values.quick ? 3 : Number(values.rounds);
  const seconds = values.quick ? 3 : Number(values.seconds);
  for (const name of positionals) {
    const suite = suites[name] as (typeof suites)[string];
    measured.push(...(await suite({ rounds, seconds, say })));
  }
  process.stdout.write(`${renderTable(measured)}\n`);
  await mergeResults(fileURLToPath(new URL('../results/latest.json', import.meta.url)), measured);
  if (measured.some((each) => holds(each) === false)) process.exitCode = 1;
});
