// The rules that have a list of known exceptions, and the comparison of the tree with that list.
import { exceptions } from './exceptions.ts';
import { findForbiddenImports, findSliceCycles } from './imports.ts';
import { findCoinages } from './names.ts';
import { findCrowdedFolders, findLongFunctions, findLongLines } from './shape.ts';
import { findMisplacedSql } from './sql.ts';
import type { Tree, Violation } from './tree.ts';

export const rulesWithExceptions: Record<string, (tree: Tree) => Violation[]> = {
  forbiddenImports: findForbiddenImports,
  sliceCycles: findSliceCycles,
  crowdedFolders: findCrowdedFolders,
  longFunctions: findLongFunctions,
  longLines: findLongLines,
  coinages: findCoinages,
  misplacedSql: findMisplacedSql,
};

const keyOf = ({ path, what }: Violation) => `${path}: ${what}`;

export function listViolations(tree: Tree): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(rulesWithExceptions).map(([rule, find]) => [
      rule,
      [...new Set(find(tree).map(keyOf))].sort(),
    ]),
  );
}

/** Describes new violations, and listed exceptions that no longer occur. */
export function compareWithExceptions(
  tree: Tree,
  rule: string,
  known: readonly string[] = exceptions[rule] ?? [],
): string[] {
  const found = rulesWithExceptions[rule]?.(tree) ?? [];
  const keys = new Set(found.map(keyOf));
  return [
    ...found.filter((each) => !known.includes(keyOf(each))).map((each) => `${keyOf(each)} (${each.detail})`),
    ...known
      .filter((key) => !keys.has(key))
      .map((key) => `"${key}" is fixed: remove its line from tools/house-rules/exceptions.ts`),
  ];
}
