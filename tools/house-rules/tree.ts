// Reads the files of the repository, and parses each source file once for all rules.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type EcmaScriptModule, parseSync, visitorKeys } from 'oxc-parser';

/**
 * The files of the repository. The key is the path from the root, and the value is the content. Files that
 * are not text have an empty content.
 */
export type Tree = ReadonlyMap<string, string>;

/** A violation of a rule that may have known exceptions. */
export interface Violation {
  readonly path: string;
  /** Identifies the violation in the list of exceptions. It contains no line number, because lines move. */
  readonly what: string;
  /** Details such as numbers and lines, for the person who fixes the violation. */
  readonly detail: string;
}

export const isCode = (path: string) => /\.tsx?$/.test(path);
export const isSource = (path: string) => /\.(?:tsx?|mjs)$/.test(path);
export const isTest = (path: string) =>
  /\.(?:test|openapi|interop|attack|screenshots)\.tsx?$|\/test\//.test(path);
export const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const skippedFolders = new Set(['node_modules', 'dist', 'data', '.git', 'coverage', 'generated']);
const isText = (path: string) => /\.(?:tsx?|mjs|md|sql|json|css|html)$/.test(path);

export function readTree(root: string): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) walk(path);
      else if (entry.isFile()) tree.set(relative(root, path), isText(path) ? readFileSync(path, 'utf8') : '');
    }
  };
  walk(root);
  return tree;
}

/**
 * Caches a result per file. Parsing all files takes seconds, and the tests change only one file at a time.
 */
export function cacheByFile<T>(read: (path: string, source: string) => T): typeof read {
  const cache = new Map<string, { readonly source: string; readonly result: T }>();
  return (path, source) => {
    const cached = cache.get(path);
    if (cached?.source === source) return cached.result;
    const result = read(path, source);
    cache.set(path, { source, result });
    return result;
  };
}

interface FunctionFact {
  /**
   * The name of the function. An anonymous function gets the name of its variable or property. If it is
   * passed to a call of `f`, its name is `callback of f`.
   */
  readonly name: string;
  readonly firstLine: number;
  readonly lines: number;
  readonly isComponent: boolean;
  readonly isRouteTable: boolean;
}

export interface Facts {
  /** Every module that the file imports or re-exports, as written in the file. */
  readonly requests: readonly { readonly request: string; readonly typeOnly: boolean }[];
  readonly comments: readonly string[];
  readonly functions: readonly FunctionFact[];
  /** Names that the file declares: variables, functions, parameters, types and their members. */
  readonly declared: readonly string[];
  /** The texts of string and template literals. */
  readonly texts: readonly string[];
  /** Positions of comments and of string contents, in pairs of start and end. */
  readonly notCode: readonly (readonly [number, number])[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Parses a file for all rules. */
export const inspect = cacheByFile((path, source): Facts => {
  const { program, module, comments } = parseSync(path, source);
  const lineAt = createLineFinder(source);
  const functions: FunctionFact[] = [];
  const declared = new Set<string>();
  const texts: string[] = [];
  const notCode: (readonly [number, number])[] = comments.map(({ start, end }) => [start, end]);
  walk(program as unknown as Node, undefined, (node, parent) => {
    for (const name of declaredNames(node)) declared.add(name);
    const text = textOf(node);
    if (text !== undefined) {
      texts.push(text);
      notCode.push([node.start, node.end]);
    }
    if (!isFunction(node)) return;
    const name = nameOf(node, parent, source);
    const firstLine = lineAt(node.start);
    functions.push({
      name,
      firstLine,
      lines: lineAt(node.end) - firstLine + 1,
      isComponent: path.endsWith('.tsx') && /^[A-Z]/.test(name),
      isRouteTable: isRouteTable(node),
    });
  });
  return {
    requests: listRequests(module, source),
    comments: comments.map((comment) => comment.value),
    functions,
    declared: [...declared],
    texts,
    notCode,
  };
});

function walk(
  node: Node,
  parent: Node | undefined,
  enter: (node: Node, parent: Node | undefined) => void,
): void {
  enter(node, parent);
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (child) walk(child as Node, node, enter);
    }
  }
}

function createLineFinder(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map((match) => match.index);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

const isFunction = (node: Node) =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) &&
  Boolean(node.body);

function nameOf(node: Node, parent: Node | undefined, source: string): string {
  const named = (node.id ?? parent?.id ?? parent?.key) as Node | undefined;
  if (named) return source.slice(named.start, named.end);
  const callee = parent?.callee as Node | undefined;
  return callee ? `callback of ${source.slice(callee.start, callee.end)}` : 'anonymous';
}

const routeCall = /^(?:get|post|put|patch|delete|head|all|route|register|addHook)$/;

/** Whether a function registers routes: its statements are declarations and at least one registration. */
function isRouteTable(node: Node): boolean {
  const { type: bodyType, body } = node.body as Node;
  if (bodyType !== 'BlockStatement') return false;
  const calls = (body as Node[]).filter(({ type }) => !/Declaration$/.test(type));
  return calls.length > 0 && calls.every(isRegistration);
}

function isRegistration(statement: Node): boolean {
  const expression = statement.expression as Node | undefined;
  const call = (expression?.type === 'AwaitExpression' ? expression.argument : expression) as
    | Node
    | undefined;
  const callee = call?.callee as Node | undefined;
  const name = ((callee?.property ?? callee) as Node | undefined)?.name;
  if (typeof name !== 'string') return false;
  return callee?.property ? routeCall.test(name) : name.endsWith('Routes');
}

/**
 * The names that this node declares. Imports and destructured properties do not count, because they are
 * declared elsewhere.
 */
function declaredNames(node: Node): string[] {
  switch (node.type) {
    case 'VariableDeclarator':
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return namesIn(node.id as Node | null);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [...namesIn(node.id as Node | null), ...(node.params as Node[]).flatMap(namesIn)];
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return namesIn(node.key as Node);
    case 'Property':
      return isFunction(node.value as Node) ? namesIn(node.key as Node) : [];
    default:
      return [];
  }
}

function namesIn(pattern: Node | null): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name as string];
    case 'ObjectPattern':
      return (pattern.properties as Node[]).flatMap((each) =>
        each.shorthand ? [] : namesIn((each.value ?? each.argument) as Node),
      );
    case 'ArrayPattern':
      return (pattern.elements as (Node | null)[]).flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern.left as Node);
    case 'RestElement':
      return namesIn(pattern.argument as Node);
    default:
      return [];
  }
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'JSXText') return node.value as string;
  if (node.type !== 'TemplateElement') return undefined;
  return (node.value as { readonly raw: string }).raw;
}

function listRequests(module: EcmaScriptModule, source: string): Facts['requests'] {
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
  return [...new Set(requests)].map((request) => ({ request, typeOnly: typesOf.has(request) }));
}
