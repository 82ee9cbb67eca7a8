// Rules about size: files per folder, lines per function, columns per line.
import { dirname } from 'node:path/posix';
import { inspect, isSource, isTest, type Tree, type Violation } from './tree.ts';

const measured = /^(?:services|libs|lab|tools)\//;

const limits = { filesPerFolder: 20, functionLines: 70, tableLines: 120, columns: 110 };

/** Counts the source files in each folder, without its subfolders. Tests are not counted. */
export function countFiles(tree: Tree): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of tree.keys()) {
    if (!isSource(path) || isTest(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return counts;
}

export function findCrowdedFolders(tree: Tree): Violation[] {
  return [...countFiles(tree)]
    .filter(([path, count]) => measured.test(path) && count > limits.filesPerFolder)
    .map(([path, count]) => ({ path, what: 'too many source files', detail: `${count} files` }));
}

/**
 * The length of a function is the number of its lines, including the lines of nested functions. Each nested
 * function is also measured separately. React components (a capitalised name in a .tsx file) and functions
 * that only register routes may be longer. Tests are not measured, because their functions only group cases.
 */
export function findLongFunctions(tree: Tree): Violation[] {
  return [...tree].flatMap(([path, source]) => {
    if (!isSource(path) || isTest(path)) return [];
    return inspect(path, source)
      .functions.filter(({ lines, isComponent, isRouteTable }) => {
        return lines > (isComponent || isRouteTable ? limits.tableLines : limits.functionLines);
      })
      .map(({ name, lines, firstLine }) => ({
        path,
        what: name,
        detail: `${lines} lines from line ${firstLine}`,
      }));
  });
}

/** A line may be longer if one word in it, such as a path, has more than 80 characters. */
export function findLongLines(tree: Tree): Violation[] {
  return [...tree].flatMap(([path, source]) => {
    if (!isSource(path)) return [];
    const long = source
      .split('\n')
      .flatMap((line, index) => (line.length > limits.columns && !/\S{81}/.test(line) ? [index + 1] : []));
    if (long.length === 0) return [];
    return [{ path, what: 'long lines', detail: `lines ${long.join(', ')}` }];
  });
}
