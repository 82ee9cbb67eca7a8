// Runs the house rules alone: no database, a second.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tools/house-rules/house-rules.test.ts'], reporters: ['dot'] },
});
