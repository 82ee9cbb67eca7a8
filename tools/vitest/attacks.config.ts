// Runs all attacks, including those that are too long for the test suites: npm run faults -- attacks.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  { ...suite, test: { ...suite.test, include: [], exclude: [] } },
  defineConfig({
    test: { include: ['lab/faults/test/attacks/*.{attack,test}.ts'], fileParallelism: false },
  }),
);
