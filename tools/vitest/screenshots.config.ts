// Takes the screenshots of the panels: npm run screenshots.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  { ...suite, test: { ...suite.test, include: [] } },
  defineConfig({ test: { include: ['lab/e2e/*.screenshots.ts'], fileParallelism: false } }),
);
