// Rules about prose: the first line of each file, unfinished work, and paths cited in text.
import { dirname, join, normalize } from 'node:path/posix';
import { cacheByFile, inspect, isSource, type Tree } from './tree.ts';

/** Finds files whose line 1 does not state what the file is for, and files with unfinished work. */
export function findBadComments(tree: Tree): string[] {
  const problems: string[] = [];
  for (const [path, source] of tree) {
    if (!isSource(path) && !path.endsWith('.sql')) continue;
    // If line 1 is a shebang, the rule applies to line 2.
    const first = path.endsWith('.sql') ? /^-- \S/ : /^(?:#!.*\n)?\/\/ \S/;
    if (!first.test(source)) problems.push(`${path}: line 1 does not state what the file is for`);
    if (/\b(?:TO(?:DO)|FIX(?:ME))\b/.test(source)) problems.push(`${path}: unfinished work`);
  }
  return problems;
}

const citedPath =
  /(?:^|[\s(`'"])(?:\.\/)?((?:services|libs|lab|tools|docs|deploy|examples)\/[\w./*-]*[\w*/]|(?:[A-Z]{4,}|run|(?:vitest|tsconfig|biome)[\w.-]*)\.(?:md|mjs|ts|json)|\.ci\/run)(?=[\s)`'",.:;#]|$)/gm;
const markdownLink = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

/** The comments of a file; empty for data files. */
function readComments(path: string, text: string): string {
  if (isSource(path)) {
    return inspect(path, text).comments.join('\n');
  }
  const lead = path.endsWith('.sql') ? /--.*$/gm : path.startsWith('.ci/') ? /(?:^|\s)#.*$/gm : undefined;
  return lead ? (text.match(lead) ?? []).join('\n') : '';
}

interface Citation {
  readonly says: 'cites' | 'links to';
  readonly name: string;
  /** The path, relative to the root of the repository. */
  readonly path: string;
}

const listCitations = cacheByFile((path, text): readonly Citation[] => {
  const isProse = path.endsWith('.md');
  const prose = isProse ? text : readComments(path, text);
  const cited = [...prose.matchAll(citedPath)].map(
    ([, name = '']): Citation => ({ says: 'cites', name, path: name }),
  );
  const links = isProse ? [...text.matchAll(markdownLink)] : [];
  return [
    ...cited,
    ...links.map(([, name = '']): Citation => ({ says: 'links to', name, path: join(dirname(path), name) })),
  ];
});

/** Finds paths that prose or a comment cites although they do not exist. */
export function findDeadCitations(tree: Tree): string[] {
  const folders = new Set<string>();
  for (const path of tree.keys()) {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at);
  }
  const exists = (path: string) => {
    const plain = normalize(path).replace(/\/$/, '');
    if (plain.includes('*')) return folders.has(plain.slice(0, plain.indexOf('*')).replace(/\/[^/]*$/, ''));
    return tree.has(plain) || folders.has(plain);
  };
  return [...tree].flatMap(([from, text]) =>
    listCitations(from, text)
      .filter(({ path }) => !exists(path))
      .map(({ says, name }) => `${from} ${says} ${name}, which does not exist`),
  );
}
