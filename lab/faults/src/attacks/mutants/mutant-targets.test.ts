// Every source that is made wrong, and every test that must notice it, is where the list says.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mutantTargets } from './mutant-targets.ts';

const root = new URL('../../../../../', import.meta.url);
const paths = mutantTargets.flatMap(({ sources, tests }) => [...sources, ...tests]);

it.each(paths)('%s exists', (path) => {
  expect(existsSync(fileURLToPath(new URL(path, root)))).toBe(true);
});
