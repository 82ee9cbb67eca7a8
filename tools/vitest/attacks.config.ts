// How the attacks run by command: those of the suite at full size, and those that take too long for it.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  suite,
  defineConfig({
    test: { include: ['lab/faults/test/attacks/*.attack.ts'], fileParallelism: false },
  }),
);
