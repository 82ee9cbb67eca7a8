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
} from './tidy-rules.ts';

const root = import.meta.dirname;
const passedOver = new Set(['node_modules', 'dist', 'data', '.git', 'coverage', 'results']);

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

  it.each([
    [
      "a slice that imports another's store",
      'licensing/server/src/items/bad.ts',
      "import '../accounts/store.ts';",
    ],
    [
      'licensing that meets wallet',
      'licensing/server/src/items/bad.ts',
      "import '@counterfoil/wallet-server/config';",
    ],
    [
      'wallet that meets licensing by a path',
      'wallet/server/src/games/bad.ts',
      "import '../../../../licensing/server/src/config.ts';",
    ],
    [
      'kit that knows a service',
      'kit/src/bad.ts',
      "export * from '../../wallet/server/src/config.ts';",
    ],
    [
      'a slice that looks back at the app',
      'wallet/server/src/players/bad.ts',
      "const app = await import('../app.ts');",
    ],
    [
      'routes that go straight to the store',
      'wallet/server/src/players/routes.ts',
      "import { x } from './store.ts';",
    ],
    [
      "another slice's routes",
      'wallet/server/src/games/bad.ts',
      "import { x } from '../players/routes.ts';",
    ],
    [
      'a service imported by the command',
      'cli/src/bad.ts',
      "import '../../wallet/server/src/main.ts';",
    ],
  ])('%s', (_title, path, source) => {
    const before = findForbiddenImports(house).length;
    expect(findForbiddenImports(plant(path, source)).length).toBe(before + 1);
  });

  it('a name that says nothing', () => {
    expect(findBadNames(plant('kit/src/string-utils.ts', '// x'))).toHaveLength(1);
    expect(findBadNames(plant('kit/src/helpers/x.ts', '// x'))).toHaveLength(1);
  });

  it('a file without its first line, and work left undone', () => {
    expect(findBadComments(plant('kit/src/bad.ts', 'export {};'))).toHaveLength(1);
    expect(findBadComments(plant('kit/src/bad.ts', `// What.\n// ${'TO'}DO later`))).toHaveLength(
      1,
    );
  });

  it('a table written in two slices', () => {
    const source = '// x\nexport const q = `update accounts set balance = 1`;';
    expect(findSharedTables(plant('wallet/server/src/games/store.ts', source))).toHaveLength(1);
  });

  it('a cited path that does not exist, in prose and in a comment', () => {
    expect(findDeadCitations(plant('docs/x.md', 'See `kit/src/gone.ts`.'))).toHaveLength(1);
    expect(findDeadCitations(plant('docs/x.md', 'See [it](gone.md).'))).toHaveLength(1);
    expect(findDeadCitations(plant('kit/src/x.ts', '// See docs/gone.md.'))).toHaveLength(1);
  });
});
