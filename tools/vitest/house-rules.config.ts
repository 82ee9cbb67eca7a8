// Runs only the house rules: without a database, in a few seconds.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tools/house-rules/house-rules.test.ts'],
    reporters: ['dot'],
    // The first test parses 1,800 files, which takes 5 seconds of CPU time.
    testTimeout: 600_000,
  },
});
