// Rules about SQL: which files may contain it, and that each table is written by one slice only.
import { dirname } from 'node:path/posix';
import { locate } from './imports.ts';
import { fileName, inspect, isCode, isTest, type Tree, type Violation } from './tree.ts';

const written = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+([a-z_]+)/gi;

/** Finds the tables that more than one slice writes to. */
export function findSharedTables(tree: Tree): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [path, source] of tree) {
    const isSource =
      /^services\/(?:licensing|wallet)\/server\/src\//.test(path) || /^libs\/[\w-]+\/src\//.test(path);
    if (!isSource || isTest(path) || !isCode(path)) continue;
    for (const [, table = ''] of source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '').matchAll(written)) {
      const { part: service, slice } = locate(path);
      const folder = slice ?? dirname(path).replace(/\/store$/, '');
      if (/^(?:set|of|no|skip|nowait|only)$/i.test(table)) continue;
      const key = `${service}.${table.toLowerCase()}`;
      writers.set(key, (writers.get(key) ?? new Set()).add(folder));
    }
  }
  return [...writers]
    .filter(([, folders]) => folders.size > 1)
    .map(([table, folders]) => `${table} is written in ${[...folders].sort().join(' and ')}`);
}

const statementName = /\bname: '([a-z0-9_]+)',\s*text\b/g;

/**
 * Finds names of prepared statements that occur twice in one service. A connection refuses the second
 * statement with the same name, but only if it has already prepared the first one.
 */
export function findSharedNames(tree: Tree): string[] {
  const places = new Map<string, string[]>();
  for (const [path, source] of tree) {
    if (!/^(?:services\/[\w-]+\/server|libs\/[\w-]+)\/src\//.test(path) || isTest(path)) continue;
    const { part } = locate(path);
    const services = path.startsWith('services/') ? [part] : ['licensing', 'wallet'];
    for (const [, name = ''] of source.matchAll(statementName)) {
      for (const service of services) {
        const key = `${service}: ${name}`;
        places.set(key, [...(places.get(key) ?? []), path]);
      }
    }
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([key, paths]) => `${key} is in ${paths.sort().join(' and ')}`);
}

const sql =
  /^\s*(?:select\s[\s\S]*\sfrom\s|insert\s+into\s|update\s+\S+\s+(?:as\s+\w+\s+)?set\s|delete\s+from\s|with\s+(?:recursive\s+)?\w+\s*(?:\(|as\s))/i;
const write = /\b(?:insert\s+into|update\s+\S+\s+(?:as\s+\w+\s+)?set|delete\s+from)\s/i;
const ownsSql = /^services\/(?:licensing|wallet)\/server\/src\/|^libs\/(?:identity|mail|webhooks)\/src\//;

/**
 * Finds SQL outside of `queries.ts`, `…-queries.ts`, `store.ts`, `…-store.ts` and `store/`, and SQL in
 * `queries.ts` or `…-queries.ts` that writes.
 */
export function findMisplacedSql(tree: Tree): Violation[] {
  return [...tree].flatMap(([path, source]) => {
    if (!ownsSql.test(path) || !isCode(path) || isTest(path) || path.includes('/testing/')) return [];
    const isStore = /(?:^|-)store\.ts$/.test(fileName(path)) || path.includes('/store/');
    if (isStore) return [];
    const isQueries = /(?:^|-)queries\.ts$/.test(fileName(path));
    const wrong = inspect(path, source).texts.find((text) => (isQueries ? write : sql).test(text));
    if (wrong === undefined) return [];
    const what = isQueries ? 'writes, but queries.ts may only read' : 'contains SQL';
    return [{ path, what, detail: wrong.trim().slice(0, 60) }];
  });
}
