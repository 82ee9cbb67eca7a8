// The mutated sources and their tests exist.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mutantTargets } from './mutant-targets.ts';

const root = new URL('../../../../../', import.meta.url);
const paths = mutantTargets.flatMap(({ sources, tests }) => [...sources, ...tests]);

it.each(paths)('the mutated source file or test file %s exists', (path) => {
  expect(existsSync(fileURLToPath(new URL(path, root)))).toBe(true);
});
