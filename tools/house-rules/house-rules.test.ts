// The house rules as a test: who may import whom, names, comments, tables, cited paths.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findBadComments,
  findBadNames,
  findDeadCitations,
  findForbiddenImports,
  findSharedTables,
  listImports,
  type Tree,
} from './rules.ts';

const root = join(import.meta.dirname, '../..');
const passedOver = new Set(['node_modules', 'dist', 'data', '.git', 'coverage', 'generated']);

function readTree(): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !passedOver.has(entry.name)) walk(path);
      else if (entry.isFile())
        tree.set(relative(root, path), isText(path) ? readFileSync(path, 'utf8') : '');
    }
  };
  walk(root);
  return tree;
}

const isText = (path: string) => /\.(?:tsx?|mjs|md|sql|json|css|html)$/.test(path);

const house = readTree();

describe('the house', () => {
  it('is really read: its imports are seen', () => {
    expect(listImports(house).length).toBeGreaterThan(100);
  });

  it.each([
    ['imports only in the allowed direction', findForbiddenImports],
    ['has no name that says nothing', findBadNames],
    ['says in line 1 of each file what it is for, and leaves nothing undone', findBadComments],
    ['writes each table in one place', findSharedTables],
    ['cites only paths that exist', findDeadCitations],
  ])('%s', (_title, find) => {
    expect(find(house)).toEqual([]);
  });
});

describe('a planted fault is found', () => {
  const plant = (path: string, source: string) => new Map([...house, [path, source]]);

  /** How many more breaches there are with the planted file than without it. */
  const found = (find: (tree: Tree) => string[], path: string, source: string) =>
    find(plant(path, source)).length - find(house).length;

  it.each([
    [
      "a slice that imports another's store",
      'services/licensing/server/src/items/bad.ts',
      "import '../accounts/store.ts';",
    ],
    [
      "another slice's store under its compiled name",
      'services/licensing/server/src/items/bad.ts',
      "import '../accounts/store.js';",
    ],
    [
      'licensing that meets wallet',
      'services/licensing/server/src/items/bad.ts',
      "import '@counterfoil/wallet-server/config';",
    ],
    [
      'wallet that meets licensing by a path',
      'services/wallet/server/src/games/bad.ts',
      "import '../../../../licensing/server/src/config.ts';",
    ],
    [
      'kit that knows a service',
      'libs/kit/src/bad.ts',
      "export * from '../../wallet/server/src/config.ts';",
    ],
    [
      'a slice that looks back at the app',
      'services/wallet/server/src/players/bad.ts',
      "const app = await import('../app.ts');",
    ],
    [
      'routes that go straight to the store',
      'services/wallet/server/src/players/routes.ts',
      "import { x } from './store.ts';",
    ],
    [
      "another slice's routes",
      'services/wallet/server/src/games/bad.ts',
      "import { x } from '../players/routes.ts';",
    ],
    [
      'a panel that takes more than types from its server',
      'services/licensing/panel/src/bad.ts',
      "import { x } from '@counterfoil/licensing-server/config';",
    ],
    [
      'a server that looks into its panel',
      'services/wallet/server/src/players/bad.ts',
      "import { paths } from '../../../panel/src/paths.ts';",
    ],
    [
      'a service imported by the command',
      'libs/cli/src/bad.ts',
      "import '../../wallet/server/src/main.ts';",
    ],
    [
      'a client that takes from its service',
      'libs/sdk-wallet/src/bad.ts',
      "import '../../../wallet/server/src/players/player.ts';",
    ],
  ])('%s', (_title, path, source) => {
    expect(found(findForbiddenImports, path, source)).toBe(1);
  });

  it('a name that says nothing', () => {
    expect(found(findBadNames, 'libs/kit/src/string-utils.ts', '// x')).toBe(1);
    expect(found(findBadNames, 'libs/kit/src/helpers/x.ts', '// x')).toBe(1);
  });

  it('a file without its first line, and work left undone', () => {
    expect(found(findBadComments, 'libs/kit/src/bad.ts', 'export {};')).toBe(1);
    expect(found(findBadComments, 'libs/kit/src/bad.ts', `// What.\n// ${'TO'}DO later`)).toBe(1);
  });

  it('a table written in two slices', () => {
    const source = '// x\nexport const q = `update accounts set balance = 1`;';
    expect(found(findSharedTables, 'services/wallet/server/src/games/store.ts', source)).toBe(1);
  });

  it.each([
    ['docs/x.md', 'See `libs/kit/src/gone.ts`.'],
    ['docs/x.md', 'See [it](gone.md).'],
    ['libs/kit/src/x.ts', '// See docs/gone.md.'],
    ['libs/kit/src/x.ts', 'f(); // see ./docs/gone.md'],
    ['libs/kit/src/x.ts', '/* vitest.gone.ts */'],
    ['libs/kit/migrations/x.sql', '-- docs/gone.md'],
    ['x.mjs', '// docs/gone.md'],
    ['.ci/run', '# docs/gone.md'],
  ])('a cited path that does not exist, in %s: %s', (path, source) => {
    expect(found(findDeadCitations, path, source)).toBe(1);
  });
});
