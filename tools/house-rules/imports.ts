// Rules about imports: which parts of the repository a part may import, private files of a slice, and cycles
// between slices.
import { dirname, join, normalize } from 'node:path/posix';
import { fileName, inspect, isCode, isTest, type Tree, type Violation } from './tree.ts';

/**
 * Returns the service, library or lab folder to which a file belongs. All folders `libs/sdk-*` are the part
 * `sdk`, and all files outside of services, libs and lab are the part `tools`. For a file of a slice, also
 * returns the slice.
 */
export function locate(path: string): { part: string; slice: string | undefined } {
  const [, part = 'tools'] = /^(?:services|libs|lab)\/([^/]+)\//.exec(path) ?? [];
  const slice = /^services\/(?:licensing|wallet)\/server\/src\/([^/]+)\//.exec(path)?.[1];
  return { part: part.startsWith('sdk-') ? 'sdk' : part, slice };
}

const libraries = ['kit', 'embedded-postgres', 'identity', 'mail', 'webhooks'];

/** For each part of the repository, the other parts that it may import. */
const mayImport: Record<string, readonly string[]> = {
  tools: [...libraries, 'licensing', 'wallet', 'provider', 'cli'],
  kit: [],
  'embedded-postgres': ['kit'],
  identity: ['kit'],
  mail: ['kit'],
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
  // Only the tests of an SDK may import these parts. The sources of a published SDK import nothing from the
  // rest of the repository.
  sdk: ['kit', 'licensing', 'wallet'],
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
  /** The compiler removes an import that imports only types, so a panel may import types from its server. */
  readonly typeOnly: boolean;
}

/**
 * Every import between files of the repository (static, dynamic and re-exports), with paths from the root.
 */
export function listImports(tree: Tree): Import[] {
  return [...tree].flatMap(([from, source]) =>
    isCode(from)
      ? inspect(from, source).requests.flatMap(({ request, typeOnly }) => {
          const to = resolveImport(from, request);
          return to === undefined ? [] : [{ from, to, typeOnly }];
        })
      : [],
  );
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

export function findForbiddenImports(tree: Tree): Violation[] {
  return listImports(tree).flatMap(({ from, to, typeOnly }) => {
    const reason = forbid(from, to) ?? (typeOnly ? undefined : forbidInBrowser(from, to));
    return reason === undefined ? [] : [{ path: from, what: `imports ${to}`, detail: reason }];
  });
}

function forbid(from: string, to: string): string | undefined {
  const here = locate(from);
  const there = locate(to);
  // A test of a library may start the embedded PostgreSQL.
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
    return 'the CLI imports only config.ts and operating.ts of a service';
  }
  if (isTest(from) || here.part === 'tools') return undefined;
  if (here.part === 'sdk' && there.part !== 'sdk')
    return 'a published client imports nothing from the repository';
  if (
    here.slice !== undefined &&
    here.part === there.part &&
    /\/src\/(?:app|main|command|seed)\.ts$/.test(to)
  ) {
    return 'a slice must not import the app that mounts it';
  }
  const sameSlice = here.part === there.part && here.slice === there.slice;
  return forbidWithinService(from, to, sameSlice);
}

const isPanel = (path: string) => /^services\/(?:licensing|wallet)\/panel\//.test(path);

/**
 * Returns why an import of values is forbidden; undefined if it is allowed. A panel may import no values from
 * a server or from a library other than `libs/ui`. Only the panel's own files and tests may import a panel.
 */
function forbidInBrowser(from: string, to: string): string | undefined {
  if (isPanel(from) && /^(?:libs\/(?!ui\/)[\w-]+|services\/(?:licensing|wallet)\/server)\//.test(to)) {
    return 'a panel imports only types from its server';
  }
  return !isPanel(from) && isPanel(to) && !isTest(from) ? 'only its own files import a panel' : undefined;
}

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
  if (routesFile.test(fileName(from)) && isStore) {
    return 'a route reads through queries.ts and writes through a use case';
  }
  if (fileName(from) === 'store.ts' && (isRoutes || /routes/.test(target))) {
    return 'a store must not import routes';
  }
  if (from.includes('/ledger/rules/') && !to.includes('/ledger/rules/')) {
    return 'the rules of the ledger import nothing from outside rules/';
  }
  return undefined;
}

const inSlice = /^(?:services\/)?(licensing|wallet)\/server\/src\/([^/]+)\//;

interface SliceImport {
  readonly service: string;
  readonly from: string;
  readonly to: string;
  readonly example: string;
}

/**
 * The imports between slices, each pair once. A slice is a folder in `server/src`. Imports of types count;
 * imports of tests do not.
 */
export function listSliceImports(tree: Tree): SliceImport[] {
  const found = new Map<string, SliceImport>();
  for (const each of listImports(tree)) {
    const [, service = '', from = ''] = inSlice.exec(each.from) ?? [];
    const [, target, to = ''] = inSlice.exec(each.to) ?? [];
    if (service === '' || service !== target || from === to || isTest(each.from)) continue;
    const key = `${service} ${from} ${to}`;
    if (!found.has(key)) {
      found.set(key, { service, from, to, example: `${each.from} imports ${each.to}` });
    }
  }
  return [...found.values()];
}

/** Every import between two slices that is part of a cycle. */
export function findSliceCycles(tree: Tree): Violation[] {
  const imports = listSliceImports(tree);
  const targets = new Map<string, string[]>();
  for (const { service, from, to } of imports) {
    const key = `${service} ${from}`;
    targets.set(key, [...(targets.get(key) ?? []), `${service} ${to}`]);
  }
  const reaches = (start: string, goal: string) => {
    const seen = new Set([start]);
    for (const at of seen) for (const next of targets.get(at) ?? []) seen.add(next);
    return seen.has(goal);
  };
  return imports
    .filter(({ service, from, to }) => reaches(`${service} ${to}`, `${service} ${from}`))
    .map(({ service, from, to, example }) => ({
      path: `services/${service}/server/src/${from}`,
      what: `imports ${to}, which leads back`,
      detail: example,
    }));
}
