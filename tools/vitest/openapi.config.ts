// Writes the examples and OpenAPI documents of the reference: npm run openapi.
import { defineConfig, mergeConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

export default mergeConfig(
  { ...suite, test: { ...suite.test, include: [] } },
  defineConfig({
    test: { include: ['services/*/server/test/**/*.openapi.ts'], fileParallelism: false },
  }),
);
