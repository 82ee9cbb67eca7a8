// The main suite: one PostgreSQL for all files, four files at a time.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { builtFiles, fromBuild, isBuilt } from './tools/vitest/from-build.ts';
import { LongestFirst } from './tools/vitest/longest-first.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const alias = [
  {
    find: /^@counterfoil\/(embedded-postgres|identity|kit|mail|webhooks)\/(.*)$/,
    replacement: at('libs/$1/src/$2.ts'),
  },
  { find: /^@counterfoil\/provider\/(.*)$/, replacement: at('services/provider/src/$1.ts') },
  {
    find: /^@counterfoil\/(licensing|wallet)-server\/(.*)$/,
    replacement: at('services/$1/server/src/$2.ts'),
  },
];

// A slow machine must not change the result of a test. So the product's deadlines are 60 times as long in
// tests and in the processes that tests start. A test about a deadline sets its own value.
process.env.DEADLINE_FACTOR ??= '60';

export default defineConfig({
  resolve: { alias },
  plugins: isBuilt ? [fromBuild] : [],
  test: {
    include: ['**/*.test.ts'],
    // `npm run check` runs the house rules; `npm run test:slow` runs the slow files.
    exclude: [
      'tools/house-rules/house-rules.test.ts',
      '**/*.slow.test.ts',
      '**/node_modules/**',
      '**/dist/**',
      'data/**',
    ],
    globalSetup: ['tools/vitest/global-setup.ts'],
    setupFiles: ['tools/vitest/seed-random-tests.ts'],
    reporters: ['default', './tools/vitest/summary.ts'],
    // These limits are so high that only a test that hangs exceeds them.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 180_000, interval: 20 } },
    pool: 'forks',
    // A test spends half of its time waiting for PostgreSQL or Chromium, so four workers keep two cores busy.
    maxWorkers: 4,
    // A larger young generation needs fewer garbage collections: a worker takes about 10 % less CPU time than
    // with Node's default of 16 MB.
    execArgv: ['--max-semi-space-size=64'],
    isolate: false,
    server: { deps: { external: [builtFiles] } },
    sequence: { sequencer: LongestFirst },
  },
});
