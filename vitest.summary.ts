// Ends a test run with the reason of every skip and one plain line: `N passed, N failed`.
import type { Reporter, TestCase, TestModule, TestRunEndReason } from 'vitest/node';

function describeSkip(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  const title = `${test.module.relativeModuleId} > ${test.fullName}`;
  return `skipped: ${title}${note === undefined ? '' : ` (${note})`}\n`;
}

export default class Summary implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // A file that could not be loaded, or an error outside any test, is a failure too.
    const brokenFiles = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    let failed = inState('failed').length + brokenFiles + errors.length;
    if (failed === 0 && reason !== 'passed') failed = 1;
    const skipped = inState('skipped');
    const last = `${skipped.length} skipped\n${inState('passed').length} passed, ${failed} failed`;
    // Written last of all: the default reporter still has its own summary to print.
    process.once('exit', () =>
      process.stdout.write(`${skipped.map(describeSkip).join('')}${last}\n`),
    );
  }
}
