// The slow suite (npm run test:slow): full sizes, every width and colour scheme, and killed processes.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  { ...suite, test: { ...suite.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['**/*.slow.test.ts'],
      exclude: ['**/node_modules/**', '**/dist/**', 'data/**'],
    },
  }),
);
