// The house rules as functions over a tree of files, so that planted faults can be tried on them.
import { dirname, join, normalize } from 'node:path/posix';
import { parseSync } from 'oxc-parser';

/** Path from the root → content. */
export type Tree = ReadonlyMap<string, string>;

const isCode = (path: string) => /\.tsx?$/.test(path);
const isTest = (path: string) => /\.test\.tsx?$|\/test\//.test(path);

/** The service, library or lab folder that a file belongs to, and in a service the slice. */
function locate(path: string): { part: string; slice: string | undefined } {
  const [, part = 'tools'] = /^(?:services|libs|lab)\/([^/]+)\//.exec(path) ?? [];
  const slice = /^services\/(?:licensing|wallet)\/server\/src\/([^/]+)\//.exec(path)?.[1];
  return { part: part.startsWith('sdk-') ? 'sdk' : part, slice };
}

const libraries = ['kit', 'embedded-postgres', 'identity', 'webhooks'];

/** Parts that a part may import from, apart from itself. */
const mayImport: Record<string, readonly string[]> = {
  tools: [...libraries, 'licensing', 'wallet', 'provider', 'cli'],
  kit: [],
  'embedded-postgres': ['kit'],
  identity: ['kit'],
  webhooks: ['identity', 'kit'],
  ui: [],
  licensing: [...libraries, 'ui'],
  wallet: [...libraries, 'ui'],
  provider: ['kit'],
  cli: [...libraries, 'licensing', 'wallet', 'provider'],
  bench: [...libraries, 'licensing', 'wallet', 'provider', 'cli'],
  faults: [...libraries, 'licensing', 'wallet', 'provider', 'cli'],
  ha: [...libraries, 'licensing', 'wallet'],
  e2e: [...libraries, 'licensing', 'wallet', 'provider', 'cli'],
  interop: [...libraries, 'licensing', 'wallet'],
  sdk: ['licensing', 'wallet'],
};

const packageFolders: Record<string, string> = {
  ...Object.fromEntries(libraries.map((name) => [`@counterfoil/${name}`, `libs/${name}/src`])),
  '@counterfoil/ui': 'libs/ui/src',
  '@counterfoil/licensing-server': 'services/licensing/server/src',
  '@counterfoil/wallet-server': 'services/wallet/server/src',
  '@counterfoil/provider': 'services/provider/src',
  '@counterfoil/cli': 'libs/cli/src',
};

interface Import {
  readonly from: string;
  readonly to: string;
  /** Gone once it is compiled. */
  readonly typeOnly: boolean;
}

/** Every import between files of the house, static, dynamic and re-exports, as root paths. */
export function listImports(tree: Tree): Import[] {
  return [...tree].flatMap(([path, source]) => (isCode(path) ? importsOf(path, source) : []));
}

/** A planted fault changes one file, and to read all the others again took seconds. */
function remember<T>(read: (path: string, source: string) => T): typeof read {
  const known = new Map<string, { readonly source: string; readonly found: T }>();
  return (path, source) => {
    const before = known.get(path);
    if (before?.source === source) return before.found;
    const found = read(path, source);
    known.set(path, { source, found });
    return found;
  };
}

const importsOf = remember(readImports);

function readImports(path: string, source: string): Import[] {
  const { module } = parseSync(path, source);
  const requests = [
    ...module.staticImports.map((each) => each.moduleRequest.value),
    ...module.staticExports.flatMap((each) =>
      each.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map((each) =>
      source.slice(each.moduleRequest.start + 1, each.moduleRequest.end - 1),
    ),
  ];
  const typesOf = new Set(
    module.staticImports
      .filter(({ entries }) => entries.length > 0 && entries.every((entry) => entry.isType))
      .map((each) => each.moduleRequest.value),
  );
  return [...new Set(requests)].flatMap((request) => {
    const to = resolveImport(path, request);
    return to === undefined ? [] : [{ from: path, to, typeOnly: typesOf.has(request) }];
  });
}

function resolveImport(from: string, request: string): string | undefined {
  if (request.startsWith('.')) {
    return normalize(join(dirname(from), request)).replace(/\.(?:m?js)$/, '.ts');
  }
  const [scope = '', name = '', ...rest] = request.split('/');
  const folder = packageFolders[`${scope}/${name}`];
  if (folder === undefined) return undefined;
  const file = `${folder}/${rest.join('/')}`;
  return isCode(file) ? file : `${file}.ts`;
}

export function findForbiddenImports(tree: Tree): string[] {
  return listImports(tree).flatMap(({ from, to, typeOnly }) => {
    const reason = forbid(from, to) ?? (typeOnly ? undefined : forbidInBrowser(from, to));
    return reason === undefined ? [] : [`${from} imports ${to}: ${reason}`];
  });
}

function forbid(from: string, to: string): string | undefined {
  const here = locate(from);
  const there = locate(to);
  // A test of the plumbing may start the PostgreSQL that every other test has.
  const ownServer = isTest(from) && there.part === 'embedded-postgres';
  if (here.part !== there.part && !ownServer && !mayImport[here.part]?.includes(there.part)) {
    return `${here.part} must not import ${there.part}`;
  }
  if (
    here.part === 'cli' &&
    !libraries.includes(there.part) &&
    there.part !== 'cli' &&
    !/\/(?:config|operating)\.ts$/.test(to)
  ) {
    return 'the command knows services by their settings and by what operates them';
  }
  if (isTest(from) || here.part === 'tools') return undefined;
  if (here.part === 'sdk' && there.part !== 'sdk') return 'a client stands without the house';
  if (
    here.slice !== undefined &&
    here.part === there.part &&
    /\/src\/(?:app|main|command|seed)\.ts$/.test(to)
  ) {
    return 'slices never look back at what holds them';
  }
  const sameSlice = here.part === there.part && here.slice === there.slice;
  return forbidWithinService(from, to, sameSlice);
}

const isPanel = (path: string) => /^services\/(?:licensing|wallet)\/panel\//.test(path);

/** What runs in a browser takes types from its server, and nothing that runs. */
function forbidInBrowser(from: string, to: string): string | undefined {
  if (
    isPanel(from) &&
    /^(?:libs\/(?!ui\/)[\w-]+|services\/(?:licensing|wallet)\/server)\//.test(to)
  ) {
    return 'a panel takes only types from its server';
  }
  return !isPanel(from) && isPanel(to) && !isTest(from) ? 'nobody imports a panel' : undefined;
}

const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const routesFile = /^(?:[a-z-]+-)?routes\.ts$/;

function forbidWithinService(from: string, to: string, sameSlice: boolean): string | undefined {
  const target = fileName(to);
  const isStore = /^(?:[a-z-]+-)?store\.ts$/.test(target) || /\/store\/[^/]+$/.test(to);
  const owner = to.replace(/\/store\/[^/]*$/, '/').replace(/[^/]*$/, '');
  const isOwn = sameSlice && to.includes('/server/src/');
  if (isStore && !isOwn && !from.startsWith(owner)) return "another slice's store is private";
  const isRoutes = routesFile.test(target);
  const isTableOfContents = /\/server\/src\/[^/]+\.ts$/.test(from);
  if (isRoutes && !sameSlice && !isTableOfContents) return 'routes are private';
  if (routesFile.test(fileName(from)) && /^(?:[a-z-]+-)?store\.ts$/.test(target)) {
    return 'routes go through a verb, never to the store';
  }
  if (fileName(from) === 'store.ts' && (isRoutes || /routes/.test(target))) {
    return 'a store never looks back at routes';
  }
  return undefined;
}

const bannedNames = /(?:^|[/-])(?:utils?|helpers?|common|misc|manager|base)(?:\.|\/|-|$)/i;

export function findBadNames(tree: Tree): string[] {
  return [...tree.keys()]
    .filter((path) => isCode(path) && bannedNames.test(path))
    .map((path) => `${path}: a name that says nothing`);
}

/** Line 1 of every file says what it is for; unfinished work is not written down in code. */
export function findBadComments(tree: Tree): string[] {
  const problems: string[] = [];
  for (const [path, source] of tree) {
    if (!isCode(path) && !path.endsWith('.sql') && !path.endsWith('.mjs')) continue;
    // A program may have to say in line 1 who runs it; then line 2 speaks.
    const first = path.endsWith('.sql') ? /^-- \S/ : /^(?:#!.*\n)?\/\/ \S/;
    if (!first.test(source)) problems.push(`${path}: line 1 does not say what the file is for`);
    if (/\b(?:TO(?:DO)|FIX(?:ME))\b/.test(source)) problems.push(`${path}: unfinished work`);
  }
  return problems;
}

const written = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+([a-z_]+)/gi;

/** Each table is written by one slice, so that its rules can be read in one place. */
export function findSharedTables(tree: Tree): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [path, source] of tree) {
    const isSource =
      /^services\/(?:licensing|wallet)\/server\/src\//.test(path) ||
      /^libs\/[\w-]+\/src\//.test(path);
    if (!isSource || isTest(path) || !isCode(path)) continue;
    for (const [, table = ''] of source
      .replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
      .matchAll(written)) {
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

const citedPath =
  /(?:^|[\s(`'"])(?:\.\/)?((?:services|libs|lab|tools|docs|deploy|examples)\/[\w./*-]*[\w*/]|(?:[A-Z]{4,}|run|(?:vitest|tsconfig|biome)[\w.-]*)\.(?:md|mjs|ts|json)|\.ci\/run)(?=[\s)`'",.:;#]|$)/gm;
const markdownLink = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

/** The comments of a file, wherever they stand in it; nothing for data. */
function readComments(path: string, text: string): string {
  if (isCode(path) || path.endsWith('.mjs')) {
    return parseSync(path, text)
      .comments.map((comment) => comment.value)
      .join('\n');
  }
  const lead = path.endsWith('.sql')
    ? /--.*$/gm
    : path.startsWith('.ci/')
      ? /(?:^|\s)#.*$/gm
      : undefined;
  return lead ? (text.match(lead) ?? []).join('\n') : '';
}

interface Citation {
  readonly says: 'cites' | 'links to';
  readonly name: string;
  /** From the root. */
  readonly path: string;
}

const listCitations = remember((path, text): readonly Citation[] => {
  const isProse = path.endsWith('.md');
  const prose = isProse ? text : readComments(path, text);
  const cited = [...prose.matchAll(citedPath)].map(
    ([, name = '']): Citation => ({ says: 'cites', name, path: name }),
  );
  const links = isProse ? [...text.matchAll(markdownLink)] : [];
  return [
    ...cited,
    ...links.map(
      ([, name = '']): Citation => ({ says: 'links to', name, path: join(dirname(path), name) }),
    ),
  ];
});

/** A path named in prose or in a comment must be there. */
export function findDeadCitations(tree: Tree): string[] {
  const folders = new Set<string>();
  for (const path of tree.keys()) {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at);
  }
  const exists = (path: string) => {
    const plain = normalize(path).replace(/\/$/, '');
    if (plain.includes('*'))
      return folders.has(plain.slice(0, plain.indexOf('*')).replace(/\/[^/]*$/, ''));
    return tree.has(plain) || folders.has(plain);
  };
  return [...tree].flatMap(([from, text]) =>
    listCitations(from, text)
      .filter(({ path }) => !exists(path))
      .map(({ says, name }) => `${from} ${says} ${name}, which does not exist`),
  );
}
