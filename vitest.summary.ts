// Ends a test run with one plain line that any tool can read: `N passed, N failed`.
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

export default class Summary implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded, or an error outside any test, is a failure too.
    const brokenFiles = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    const skipped = count('skipped');
    let failed = count('failed') + brokenFiles + errors.length;
    if (failed === 0 && reason !== 'passed') failed = 1;
    const again = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
    const retried = again.map((test) => `tried again: ${test.fullName}\n`).join('');
    const last = `${retried}${skipped} skipped\n${count('passed')} passed, ${failed} failed`;
    // Written last of all: the default reporter still has its own summary to print.
    process.once('exit', () => process.stdout.write(`${last}\n`));
  }
}
