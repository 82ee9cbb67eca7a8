// The house rules as a test: imports, names, sizes, SQL, comments and cited paths.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exceptions } from './exceptions.ts';
import { findForbiddenImports, findSliceCycles, listImports } from './imports.ts';
import { compareWithExceptions, rulesWithExceptions } from './known.ts';
import { findBadNames, findCoinages } from './names.ts';
import { findBadComments, findDeadCitations } from './prose.ts';
import { findCrowdedFolders, findLongFunctions, findLongLines } from './shape.ts';
import { findMisplacedSql, findSharedNames, findSharedTables } from './sql.ts';
import { readTree, type Tree } from './tree.ts';

const repository = readTree(join(import.meta.dirname, '../..'));

describe('the repository', () => {
  it('the repository contains more than 100 imports that the rules can read', () => {
    expect(listImports(repository).length).toBeGreaterThan(100);
  });

  it.each([
    ['has no meaningless name', findBadNames],
    ['states in line 1 of each file what the file is for, and has no unfinished work', findBadComments],
    ['writes each table in one slice', findSharedTables],
    ['has no two prepared statements with one name in a service', findSharedNames],
    ['cites only paths that exist', findDeadCitations],
  ])('the repository %s', (_title, find) => {
    expect(find(repository)).toEqual([]);
  });

  it.each([
    ['imports only in the allowed direction', 'forbiddenImports'],
    ['has no cycle of slices', 'sliceCycles'],
    ['has at most 20 source files in a folder', 'crowdedFolders'],
    ['has no function over 70 lines, and no component or route table over 120', 'longFunctions'],
    ['has no line of more than 110 columns', 'longLines'],
    ['has no coined word in a name', 'coinages'],
    ['has SQL only in queries.ts, store.ts and store/, and only reads in queries.ts', 'misplacedSql'],
  ])('the repository %s, except for known exceptions', (_title, rule) => {
    expect(compareWithExceptions(repository, rule)).toEqual([]);
  });

  it('each rule that allows exceptions has a list of exceptions, and no other rule has one', () => {
    expect(Object.keys(exceptions).sort()).toEqual(Object.keys(rulesWithExceptions).sort());
  });
});

describe('the rules', () => {
  const plant = (path: string, source: string) => new Map([...repository, [path, source]]);

  /** The number of additional violations if the repository also contained this file. */
  const found = (find: (tree: Tree) => readonly unknown[], path: string, source: string) =>
    find(plant(path, source)).length - find(repository).length;

  /** The number of violations if the repository consisted of this file only. */
  const alone = (find: (tree: Tree) => readonly unknown[], path: string, source: string) =>
    find(new Map([[path, source]])).length;

  it.each([
    [
      "a slice that imports another slice's store",
      'services/licensing/server/src/items/bad.ts',
      "import '../accounts/store.ts';",
    ],
    [
      "a slice that imports another slice's store by its compiled name",
      'services/licensing/server/src/items/bad.ts',
      "import '../accounts/store.js';",
    ],
    [
      'licensing that imports wallet',
      'services/licensing/server/src/items/bad.ts',
      "import '@counterfoil/wallet-server/config';",
    ],
    [
      'wallet that imports licensing by a path',
      'services/wallet/server/src/games/bad.ts',
      "import '../../../../licensing/server/src/config.ts';",
    ],
    [
      'kit that imports a service',
      'libs/kit/src/bad.ts',
      "export * from '../../wallet/server/src/config.ts';",
    ],
    [
      'a slice that imports the app',
      'services/wallet/server/src/players/bad.ts',
      "const app = await import('../app.ts');",
    ],
    [
      'routes that import the store',
      'services/wallet/server/src/players/routes.ts',
      "import { x } from './store.ts';",
    ],
    [
      'routes that import a file of the store folder',
      'services/wallet/server/src/ledger/routes.ts',
      "import { x } from './store/round-store.ts';",
    ],
    [
      'rules of the ledger that import the engine',
      'services/wallet/server/src/ledger/rules/bad.ts',
      "import type { x } from '../engine/ledger.ts';",
    ],
    [
      "a slice that imports another slice's routes",
      'services/wallet/server/src/games/bad.ts',
      "import { x } from '../players/routes.ts';",
    ],
    [
      'a panel that imports a value from its server',
      'services/licensing/panel/src/bad.ts',
      "import { x } from '@counterfoil/licensing-server/config';",
    ],
    [
      'a server that imports its panel',
      'services/wallet/server/src/players/bad.ts',
      "import { paths } from '../../../panel/src/paths.ts';",
    ],
    ['a CLI that imports a service', 'libs/cli/src/bad.ts', "import '../../wallet/server/src/main.ts';"],
    [
      'a client that imports its service',
      'libs/sdk-wallet/src/bad.ts',
      "import '../../../wallet/server/src/players/player.ts';",
    ],
  ])('the rules find %s', (_title, path, source) => {
    expect(found(findForbiddenImports, path, source)).toBe(1);
  });

  it('the rules find a meaningless name', () => {
    expect(found(findBadNames, 'libs/kit/src/string-utils.ts', '// x')).toBe(1);
    expect(found(findBadNames, 'libs/kit/src/helpers/x.ts', '// x')).toBe(1);
  });

  it('the rules find a file whose first line is not a comment, and unfinished work', () => {
    expect(found(findBadComments, 'libs/kit/src/bad.ts', 'export {};')).toBe(1);
    expect(found(findBadComments, 'libs/kit/src/bad.ts', `// What.\n// ${'TO'}DO later`)).toBe(1);
  });

  it('the rules find a table that two slices write to', () => {
    const source = '// x\nexport const q = `update accounts set balance = 1`;';
    expect(found(findSharedTables, 'services/wallet/server/src/games/store.ts', source)).toBe(1);
  });

  it('the rules find a name of a prepared statement that another statement of the service has', () => {
    const source = "// x\nexport const q = { name: 'select_last_moved', text: 'select 1' };";
    expect(found(findSharedNames, 'services/wallet/server/src/games/queries.ts', source)).toBe(1);
    expect(found(findSharedNames, 'services/licensing/server/src/items/queries.ts', source)).toBe(0);
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
  ])('the rules find a cited path that does not exist, in %s: %s', (path, source) => {
    expect(found(findDeadCitations, path, source)).toBe(1);
  });

  const slices = 'services/wallet/server/src';

  it('the rules find two slices that import each other, and a cycle of three slices', () => {
    const pair: Tree = new Map([
      [`${slices}/a/one.ts`, "import type { Two } from '../b/two.ts';"],
      [`${slices}/b/two.ts`, "export { one } from '../a/one.ts';"],
    ]);
    expect(findSliceCycles(pair)).toHaveLength(2);
    const chain = new Map([
      ...pair,
      [`${slices}/b/two.ts`, "import '../c/three.ts';"],
      [`${slices}/c/three.ts`, "import '../a/one.ts';"],
      [`${slices}/d/four.ts`, "import '../a/one.ts';"],
    ]);
    expect(findSliceCycles(chain).map(({ path }) => path.slice(-1))).toEqual(['a', 'b', 'c']);
    chain.set(`${slices}/c/three.ts`, '');
    expect(findSliceCycles(chain)).toEqual([]);
  });

  it('the rules find a folder with 21 source files', () => {
    const files = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, index) => [`libs/kit/src/full/file${index}.ts`, '']);
    const tests: [string, string][] = [['libs/kit/src/full/one.test.ts', '']];
    expect(findCrowdedFolders(new Map([...files(20), ...tests]))).toEqual([]);
    expect(findCrowdedFolders(new Map([...files(21), ...tests]))).toHaveLength(1);
  });

  const ofLines = (count: number, line: string) => `${`${line}\n`.repeat(count - 2)}}`;

  it.each([
    ['a function of 71 lines', 'libs/kit/src/bad.ts', `function f() {\n${ofLines(71, 'f();')}`, 1],
    [
      'no violation in a function of 70 lines',
      'libs/kit/src/bad.ts',
      `function f() {\n${ofLines(70, 'f();')}`,
      0,
    ],
    ['an arrow function of 71 lines', 'libs/kit/src/bad.ts', `const f = () => {\n${ofLines(71, 'f();')}`, 1],
    [
      'no violation in a component of 120 lines',
      'libs/ui/src/bad.tsx',
      `const F = () => {\n${ofLines(120, 'f();')}`,
      0,
    ],
    ['a component of 121 lines', 'libs/ui/src/bad.tsx', `const F = () => {\n${ofLines(121, 'f();')}`, 1],
    [
      'no violation in a route table of 120 lines',
      'libs/kit/src/x.ts',
      `const f = () => {\n${ofLines(120, 'a.get();')}`,
      0,
    ],
    ['a route table of 121 lines', 'libs/kit/src/x.ts', `const f = () => {\n${ofLines(121, 'a.get();')}`, 1],
    ['no violation in a long test', 'libs/kit/src/x.test.ts', `it('', () => {\n${ofLines(99, 'f();')});`, 0],
  ])('the rules find %s', (_title, path, source, count) => {
    expect(alone(findLongFunctions, path, source)).toBe(count);
  });

  it('the rules find a line of 111 columns, unless it has a word of more than 80 characters', () => {
    expect(alone(findLongLines, 'libs/kit/src/bad.ts', `// ${'word '.repeat(22)}`)).toBe(1);
    expect(alone(findLongLines, 'libs/kit/src/bad.ts', `// ${'word '.repeat(21)}`)).toBe(0);
    expect(alone(findLongLines, 'bad.mjs', `// ${'word '.repeat(22)}`)).toBe(1);
    expect(alone(findLongLines, 'libs/kit/src/bad.ts', `// https://${'a'.repeat(110)}`)).toBe(0);
  });

  it.each([
    ['const openQuickDoor = 1;', 1],
    ['function f(told: string) {}', 1],
    ['export interface Judge { readonly judged: boolean }', 2],
    ['type A = { tellMoney(): void };', 1],
    ['const { a: twin, ...visitors } = b;', 2],
    ['const api = { relay: () => 1, fate: 2 };', 1],
    ["import { Visitor } from 'x'; const text = 'a usual door';", 0],
    ['type Row = { visitor_id: string };', 0],
    ['const foldersUnfolded = indoors;', 0],
  ])('the code `%s` has this number of coined words: %i', (source, count) => {
    expect(alone(findCoinages, 'libs/kit/src/bad.ts', source)).toBe(count);
  });

  it('the rules find a coined word in the name of a file', () => {
    expect(alone(findCoinages, 'libs/kit/src/quick-door.ts', '// x')).toBe(1);
  });

  it.each([
    ['players/list-players.ts', 'const a = `select id from players`;', 1],
    ['players/list-players.ts', "const a = 'with x as (select 1) select 2';", 1],
    ['players/rename.ts', "const a = 'update players set name = $1';", 1],
    ['players/queries.ts', 'const a = `select id from players`;', 0],
    ['players/queries.ts', "const a = 'delete from players';", 1],
    ['players/player-store.ts', "const a = 'delete from players';", 0],
    ['players/store/x.ts', "const a = 'delete from players';", 0],
    ['players/player.ts', "const a = 'Update the player.';", 0],
  ])('the file %s with the code `%s` has this number of misplaced SQL texts: %i', (path, source, count) => {
    expect(findMisplacedSql(new Map([[`${slices}/${path}`, source]]))).toHaveLength(count);
  });

  it('the rules find an exception that no longer applies, and a violation that is not on the list', () => {
    const tree: Tree = new Map([['lab/x.ts', `// ${'word '.repeat(22)}`]]);
    expect(compareWithExceptions(tree, 'longLines', ['lab/x.ts: long lines'])).toEqual([]);
    expect(compareWithExceptions(tree, 'longLines', [])).toEqual(['lab/x.ts: long lines (lines 1)']);
    expect(compareWithExceptions(new Map(), 'longLines', ['lab/x.ts: long lines'])).toEqual([
      '"lab/x.ts: long lines" is fixed: remove its line from tools/house-rules/exceptions.ts',
    ]);
  });
});
