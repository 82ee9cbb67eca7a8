// Runs callers on a new package during a fault, then runs all checks.
import type { Verdict } from '../checker/check-test-run.ts';
import { type Load, type LoadOptions, startLoad } from '../client/load.ts';
import type { TestEnvironment } from './test-environment.ts';
import type { TestRun, TestRunOptions } from './test-run.ts';

/**
 * The number of orders that must be acknowledged before the fault, and again after the fault. These orders
 * prove that the system works before and after the fault.
 */
const passesAround = 60;
const patienceMs = 90_000;

/**
 * Waits for this number of acknowledged orders. Rejects after a timeout: the system has not recovered from
 * the fault in time.
 */
export async function seePasses(load: Load, acknowledged: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `${acknowledged} orders were not acknowledged within ${patienceMs / 1000} s`;
    timer = setTimeout(() => reject(new Error(reason)), patienceMs);
  });
  await Promise.race([load.passes(acknowledged), late]).finally(() => clearTimeout(timer));
}

export async function underLoad(
  environment: TestEnvironment,
  inflict: (testRun: TestRun, load: Load) => Promise<void>,
  options: { testRun?: TestRunOptions; load?: LoadOptions } = {},
): Promise<Verdict> {
  const testRun = await environment.openTestRun(options.testRun);
  const load = startLoad(testRun, environment.random, options.load);
  try {
    await seePasses(load, passesAround);
    await inflict(testRun, load);
    await seePasses(load, passesAround);
  } finally {
    await load.stop();
  }
  return testRun.finish();
}
