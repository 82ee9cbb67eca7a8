// Runs the longest test files first, so that no worker runs a long file alone at the end.
import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that use Chromium or start processes take longest, so their files run first. All other files follow,
 * the largest first.
 */
const isLong = (path: string) => /\/(e2e|cli\/test)\/|process/.test(path);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weigh = ({ moduleId }: TestSpecification) =>
      (isLong(moduleId) ? 1_000_000 : 0) + statSync(moduleId).size;
    return [...files].sort((a, b) => weigh(b) - weigh(a));
  }
}
