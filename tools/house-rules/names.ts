// Rules about names: meaningless words, and coined words that have an ordinary replacement.
import { inspect, isCode, isSource, type Tree, type Violation } from './tree.ts';

const bannedNames = /(?:^|[/-])(?:utils?|helpers?|common|misc|manager|base)(?:\.|\/|-|$)/i;

export function findBadNames(tree: Tree): string[] {
  return [...tree.keys()]
    .filter((path) => isCode(path) && bannedNames.test(path))
    .map((path) => `${path}: a meaningless name`);
}

/**
 * Coined words of earlier versions with their replacements. Words that this product also uses in their
 * ordinary meaning are not listed.
 */
const coinages: readonly (readonly [RegExp, string])[] = [
  [/^doors?$/, 'fast path, access policy, CLI entry'],
  [/^(?:told|tells?|telling|teller)$/, 'read, format, report'],
  [/^judg/, 'classify, toResult, evaluate'],
  [/^twins?$/, 'sandbox'],
  [/^visitors?$/, 'principal'],
  [/^recogni[sz]e/, 'authenticateFromCache'],
  [/^fold(?:s|ed|ing)?$/, 'apply, normalize'],
  [/^fates?$/, 'betState, outcome'],
  [/^barred$/, 'blockedBy'],
  [/^usual/, 'default…'],
  [/^surplus$/, 'excess'],
  [/^shed(?:s|ding)?$/, 'overload response'],
  [/^relays?$/, 'dispatcher'],
  [/^lanes?$/, 'ordered queues'],
  [/^chores?$/, 'tasks'],
  [/^scenes?$/, 'testEnvironment'],
  [/^episodes?$/, 'run'],
  [/^passages?$/, 'interceptor'],
  [/^suffer/, 'simulate'],
];

const splitWords = (name: string) =>
  name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?=[A-Z][a-z])/).map((word) => word.toLowerCase());

function findCoinage(name: string): string | undefined {
  const words = splitWords(name);
  return coinages.find(([coined]) => words.some((word) => coined.test(word)))?.[1];
}

/**
 * Finds coined words in file names and in declared names (variable, function, parameter, type or member).
 * Names in snake_case belong to the wire or to SQL and are not checked.
 */
export function findCoinages(tree: Tree): Violation[] {
  return [...tree].flatMap(([path, source]) => {
    if (!isSource(path)) return [];
    const names = inspect(path, source).declared.filter((name) => !/[a-z]_[a-z]/.test(name));
    return [...names, path.slice(path.lastIndexOf('/') + 1)].flatMap((what) => {
      const better = findCoinage(what);
      return better === undefined ? [] : [{ path, what, detail: `write ${better}` }];
    });
  });
}
