// Runs the house rules alone: no database, a second.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['tidy.test.ts'], reporters: ['dot'] } });
