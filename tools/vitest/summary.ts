// Ends a test run with the reason for every skipped test and the line `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

function describeSkip(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  const title = `${test.module.relativeModuleId} > ${test.fullName}`;
  return `skipped: ${title}${note === undefined ? '' : ` (${note})`}\n`;
}

export default class Summary implements Reporter {
  #hasNameFilter = false;

  onInit({ config }: Vitest): void {
    this.#hasNameFilter = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // A file that could not be loaded, a hook that failed, or an error outside any test is a failure too.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const passed = inState('passed').length;
    let failed = inState('failed').length + broken + errors.length;
    if (failed === 0 && (reason !== 'passed' || passed === 0)) failed = 1;
    if (failed > 0) process.exitCode = 1;
    const skipped = inState('skipped');
    const last = `${skipped.length} skipped\n${passed} passed, ${failed} failed`;
    // With `-t`, every test that the pattern does not match is skipped, so skipped tests are not listed.
    const listed = this.#hasNameFilter ? [] : skipped;
    // The lines are written at exit, so that they come after the summary of the default reporter.
    process.once('exit', () => {
      process.stdout.write(`${listed.map(describeSkip).join('')}${last}\n`);
      const mark = process.env.TEST_SUMMARY_MARK;
      if (mark !== undefined) writeFileSync(mark, '');
    });
  }
}
