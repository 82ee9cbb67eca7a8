// Runs all attacks at full size, including those that are too long for the suite.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  suite,
  defineConfig({
    test: { include: ['lab/faults/test/attacks/*.attack.ts'], fileParallelism: false },
  }),
);
