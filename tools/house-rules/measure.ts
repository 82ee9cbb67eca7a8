// Prints figures about files, folders and functions: `node tools/house-rules/run.mjs measure [folder of
// another tree]`.
import { join, resolve } from 'node:path';
import { listSliceImports } from './imports.ts';
import { countFiles } from './shape.ts';
import { inspect, isCode, isSource, isTest, readTree, type Tree } from './tree.ts';

export function run(folder = join(import.meta.dirname, '../..')): void {
  const tree = withoutGenerated(readTree(resolve(folder)));
  for (const [title, figure] of [
    ['files at the root', describeRoot(tree)],
    ['pairs of slices that import each other', describePairs(tree)],
    ['TypeScript files of at most 30 lines', describeShort(tree)],
    ['most source files on one folder level', describeFullest(tree)],
    ['longest function (components and route tables excepted)', describeLongest(tree)],
    ['source lines of services and libs', describeLines(tree)],
  ]) {
    process.stdout.write(`${title}: ${figure}\n`);
  }
}

const withoutGenerated = (tree: Tree): Tree =>
  new Map([...tree].filter(([path]) => !/\/sdk[\w/-]*\/wire\.ts$|^data\//.test(`/${path}`)));

function describeRoot(tree: Tree): string {
  const files = [...tree.keys()].filter((path) => !path.includes('/') && path !== '.git');
  const hidden = files.filter((path) => path.startsWith('.'));
  return `${files.length - hidden.length}, and ${hidden.length} whose name starts with a dot`;
}

function describePairs(tree: Tree): string {
  const imports = listSliceImports(tree);
  const keys = new Set(imports.map(({ service, from, to }) => `${service} ${from} ${to}`));
  const pairs = imports.filter(({ service, from, to }) => from < to && keys.has(`${service} ${to} ${from}`));
  const names = pairs.map(({ service, from, to }) => `${service} ${from}–${to}`);
  return `${pairs.length}${pairs.length > 0 ? ` (${names.join(', ')})` : ''}`;
}

const countLines = (source: string) => source.trimEnd().split('\n').length;

function describeShort(tree: Tree): string {
  const share = (files: readonly (readonly [string, string])[]) => {
    const short = files.filter(([, source]) => countLines(source) <= 30);
    return `${short.length} of ${files.length} (${((100 * short.length) / files.length).toFixed(1)} %)`;
  };
  const files = [...tree].filter(([path]) => isCode(path));
  return `${share(files.filter(([path]) => !isTest(path)))}; with tests ${share(files)}`;
}

function describeFullest(tree: Tree): string {
  const [folder, count] = [...countFiles(tree)].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
  return `${count} (${folder})`;
}

function describeLongest(tree: Tree): string {
  const functions = [...tree]
    .filter(([path]) => isSource(path) && !isTest(path))
    .flatMap(([path, source]) => inspect(path, source).functions.map((each) => ({ path, ...each })))
    .filter(({ isComponent, isRouteTable }) => !isComponent && !isRouteTable)
    .sort((a, b) => b.lines - a.lines);
  const [longest] = functions;
  return longest ? `${longest.lines} (${longest.name} in ${longest.path})` : '0';
}

const product =
  /^(?:services\/|libs\/)?(?:kit|embedded-postgres|identity|mail|webhooks|ui|cli|sdk[\w-]*|licensing|wallet|provider)\//;

const isStrings = (path: string) => /\/strings(?:\.de)?\.ts$/.test(path);

function describeLines(tree: Tree): string {
  const lines = [...tree]
    .filter(([path]) => product.test(path) && isSource(path) && !isTest(path) && !isStrings(path))
    .reduce((sum, [path, source]) => sum + countCodeLines(path, source), 0);
  return `${lines}, without blank lines, comments, interface texts and generated files`;
}

/**
 * Counts the lines with code. Comments and texts are removed first; a line that then contains only `,`, `;`
 * and `+` does not count.
 */
function countCodeLines(path: string, source: string): number {
  const code = source.split('');
  for (const [start, end] of inspect(path, source).notCode) {
    for (let at = start; at < end; at++) if (source[at] !== '\n') code[at] = ' ';
  }
  return code
    .join('')
    .split('\n')
    .filter((line) => /[^\s,;+]/.test(line)).length;
}
