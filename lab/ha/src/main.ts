// `npm run ha`: tests high availability on one machine.
import { parseArgs } from 'node:util';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { runMain } from '@counterfoil/kit/process/run-main';
import { runFailover } from './failover.ts';
import { openTestEnvironment, type TestEnvironment } from './test-environment.ts';
import { runTests, runThroughPooler } from './through-pooler.ts';
import { runUpgrade } from './upgrade.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const usage = `Usage:
  npm run ha -- [failover] [--kills 3] [--callers 16] [--seconds 5]
  npm run ha -- upgrade [--from <commit or tag>] [--callers 16] [--seconds 5]
  npm run ha -- processes [--times 20]
  npm run ha -- pooler [test files]`;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        kills: { type: 'string', default: '3' },
        callers: { type: 'string', default: '16' },
        seconds: { type: 'string', default: '5' },
        times: { type: 'string', default: '20' },
        from: { type: 'string' },
      },
    });
    const numbers = [values.kills, values.callers, values.seconds, values.times].map((text) => {
      if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${text} is not a number from 1 to 9999`);
      return Number(text);
    });
    const [kills = 3, callers = 16, seconds = 5, times = 20] = numbers;
    const [verb = 'failover', ...files] = positionals;
    return { verb, files, from: values.from, kills, callers, seconds, times };
  } catch (error) {
    throw new PlainError(`${(error as Error).message}\n${usage}`);
  }
}

type Given = ReturnType<typeof readArguments>;

const verbs: Record<string, (environment: TestEnvironment, given: Given) => Promise<boolean>> = {
  failover: (environment, given) => runFailover(environment, { ...given, say }),
  upgrade: (environment, given) => runUpgrade(environment, { ...given, say }),
  pooler: (environment, given) => runThroughPooler(environment, { ...given, say }),
  // Runs the slow test of several processes, with `--times` times as many requests.
  processes: (environment, given) => {
    const test = 'services/wallet/server/test/ledger/many-processes.slow.test.ts';
    const env = { STORM_TIMES: String(given.times) };
    return runTests(environment, ['--config', 'tools/vitest/slow.config.ts', test], env);
  },
};

runMain(async () => {
  const given = readArguments();
  const run = verbs[given.verb];
  if (!run) throw new PlainError(usage);
  const environment = await openTestEnvironment(`ha-${given.verb}`);
  try {
    const isGood = await run(environment, given);
    say(isGood ? '\nPassed.' : '\nFailed.');
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await environment.leave();
  }
  process.exit();
});
