// The slow suite: full sizes, every width and theme, process kills. npm run test:slow.
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
