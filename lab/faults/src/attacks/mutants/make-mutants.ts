// Makes mutants of a source file, each with one small mistake that the tests must detect.
import { parseSync } from 'oxc-parser';

type MutantKind = 'comparison' | 'arithmetic' | 'condition' | 'logic' | 'literal' | 'call';

export interface Mutant {
  readonly kind: MutantKind;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const operators: Readonly<Record<string, readonly [MutantKind, string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

/**
 * Nodes that contain only types, which the compiler erases. Expressions with `as`, `satisfies` or `!` remain.
 */
const isErased = (node: Node) => node.type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(node.type);

/** Conditions of loops are not mutated, because a mutated loop may never end. */
const isLoop = (node: Node) => /^(?:For|While|DoWhile)Statement$/.test(node.type);

type Change = (at: Node, kind: MutantKind, after: string) => void;

export function makeMutants(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const change: Change = ({ start, end }, kind, after) => {
    const line = source.slice(0, start).split('\n').length;
    mutants.push({ kind, line, start, end, before: source.slice(start, end), after });
  };
  const visit = (node: Node): void => {
    if (isErased(node) || node.type === 'ImportDeclaration') return;
    mutate(node, source, change);
    for (const [name, value] of Object.entries(node)) {
      if (isLoop(node) && (name === 'test' || name === 'update')) continue;
      if (name === 'typeAnnotation' || name === 'typeArguments') continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parseSync(file, source).program as unknown as Node);
  return mutants;
}

function mutate(node: Node, source: string, change: Change): void {
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
    mutateOperator(node, source, change);
  } else if (node.type === 'UnaryExpression' && (node.operator === '!' || node.operator === '-')) {
    const argument = node.argument as Node;
    change(node, 'logic', `(${source.slice(argument.start, argument.end)})`);
  } else if (node.type === 'ConditionalExpression' || node.type === 'IfStatement') {
    change(node.test as Node, 'condition', 'true');
    change(node.test as Node, 'condition', 'false');
  } else if (node.type === 'Literal') mutateLiteral(node, change);
  else if (node.type === 'ExpressionStatement') {
    const { type } = node.expression as Node;
    if (type === 'CallExpression') change(node, 'call', ';');
  }
}

function mutateOperator(node: Node, source: string, change: Change): void {
  const known = operators[String(node.operator)];
  const [left, right] = [node.left as Node, node.right as Node];
  const text = (each: Node) => source.slice(each.start, each.end);
  if (known) change(node, known[0], `(${text(left)}) ${known[1]} (${text(right)})`);
  else if (node.operator === '??') change(node, 'logic', `(${text(left)})`);
}

function mutateLiteral(node: Node, change: Change): void {
  if (typeof node.value === 'boolean') change(node, 'literal', String(!node.value));
  else if (typeof node.bigint === 'string') change(node, 'literal', `${BigInt(node.bigint) + 1n}n`);
  else if (typeof node.value === 'number') change(node, 'literal', String(node.value + 1));
}
