// Runs third-party tools on the OpenAPI documents: npm run interop.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  { ...suite, test: { ...suite.test, include: [] } },
  defineConfig({ test: { include: ['lab/interop/*.interop.ts'], fileParallelism: false } }),
);
