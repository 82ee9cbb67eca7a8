// How the test-suite runs: sources directly, one PostgreSQL for all files, files in parallel.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const alias = [
  { find: /^@counterfoil\/kit\/(.*)$/, replacement: at('kit/src/$1.ts') },
  { find: /^@counterfoil\/provider\/(.*)$/, replacement: at('provider/src/$1.ts') },
  {
    find: /^@counterfoil\/(licensing|wallet)-server\/(.*)$/,
    replacement: at('$1/server/src/$2.ts'),
  },
];

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'data/**'],
    globalSetup: ['vitest.global-setup.ts'],
    reporters: ['default', './vitest.summary.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // On a crowded runner a test is tried once more before it counts as broken. The summary names
    // it: whatever needed that is looked into like a failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
  },
});
