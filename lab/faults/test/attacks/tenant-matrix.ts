// Sends a request with one tried id, and returns its answer and its SQL statements for comparison.
import { escapeText } from './cases.ts';
import type { Operation, Schema } from './operations.ts';
import type { Answer, Sender } from './send.ts';
import type { StatementLog } from './statements.ts';
import type { Target } from './target.ts';
import { type Bodies, fresh } from './tenant-bodies.ts';
import type { TenantNames } from './tenant-names.ts';

type At = 'path' | 'query' | 'header' | 'body' | 'within a body';

/** The name of a parameter or field, and the part of the request that contains it. */
export interface Position {
  readonly name: string;
  readonly at: At;
}

/** A position in a request, and the name of the object in `Things` whose id is sent at this position. */
export interface TriedPosition extends Position {
  readonly thing: string;
}

export interface Matrix {
  readonly target: Target;
  readonly sender: Sender;
  readonly log: StatementLog;
  readonly ids: TenantNames['ids'];
  readonly bodies: Bodies;
}

const bodySchema = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content?.['application/json']?.schema;

/** Whether the header with this name authenticates the caller. */
const isCredential = (name: string) => /^(?:x-uid|x-api-key|x-api-secret|x-signature|origin)$/.test(name);

/** The documented parameters and body fields of an operation. */
export function listPositions(operation: Operation): Position[] {
  const position = (at: At) => (name: string) => ({ name, at });
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const given = (at: 'query' | 'header') =>
    operation.parameters.filter((each) => each.in === at).map((each) => each.name);
  const schemas = Object.values(operation.requestBody?.content ?? {}).map(({ schema = {} }) => schema);
  const inBody = new Set(schemas.flatMap((schema) => Object.keys(schema.properties ?? {})));
  const within = new Set(
    schemas.flatMap((schema) => Object.values(schema.properties ?? {}).flatMap(listWithin)),
  );
  return [
    ...inPath.map(position('path')),
    ...given('query').map(position('query')),
    ...given('header')
      .filter((name) => !isCredential(name))
      .map(position('header')),
    ...[...inBody].map(position('body')),
    ...[...within].map(position('within a body')),
  ];
}

const listWithin = (schema: Schema): string[] => [
  ...Object.keys(schema.properties ?? {}),
  ...[
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ].flatMap(listWithin),
];

export interface Observed {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  readonly statements: readonly string[];
}

export type Whose = 'own' | 'foreign' | 'unknown';

/** One more than the largest bigint of PostgreSQL. */
const hugeId = String(2n ** 63n);

let counter = 1_000_000;

/**
 * Sends a valid request of the tenant, in which only the id at this position may belong to another tenant.
 */
export async function ask(
  matrix: Matrix,
  operation: Operation,
  position: TriedPosition,
  whose: Whose | 'huge',
): Promise<Observed & { text: string }> {
  const { target, sender, log, ids } = matrix;
  const value = whose === 'huge' ? hugeId : target.idOf(position.thing, whose);
  const idOf = (name: string, at: At) =>
    name === position.name && at === position.at ? value : target.idOf(ids.get(name)?.[0] ?? name, 'own');
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => escapeText(idOf(name, 'path')));
  const isAsked = (name: string, at: At) => name === position.name && at === position.at;
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (each.required || isAsked(each.name, 'query')))
    .map((each) => `${each.name}=${escapeText(idOf(each.name, 'query'))}`);
  const freshId = `matrix-${++counter}`;
  const body = makeBody(matrix, operation, idOf, position);
  const headers = target.headersFor(operation, 'own');
  log.take();
  const answer = await sender.send({
    method: operation.method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      ...headers,
      ...(body && { 'content-type': body.type }),
      ...(position.at === 'header' && { [position.name]: value }),
    },
    ...(body && { body: Buffer.from(body.text.replaceAll(fresh, freshId)) }),
  });
  const observed = describeAnswer(answer, [value, freshId]);
  return { ...observed, statements: log.take(), text: answer.text.replaceAll(value, '') };
}

function makeBody(
  matrix: Matrix,
  operation: Operation,
  idOf: (name: string, at: At) => string,
  position: TriedPosition,
): { type: string; text: string } | undefined {
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  if (type === undefined) return undefined;
  if (type !== 'application/json') return { type, text: 'a file' };
  const schema = bodySchema(operation) ?? {};
  const given = matrix.bodies.find(
    ([end, , only = position.name]) =>
      end.test(operation.path) && (only === position.name || only === position.thing),
  );
  const body: Record<string, unknown> = { ...given?.[1] };
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const isPosition = position.at === 'body' && position.name === name;
    const isWanted = isPosition || (schema.required?.includes(name) && !(name in body));
    if (!isWanted || !(matrix.ids.has(name) || name === 'password')) continue;
    const text = idOf(name, 'body');
    // A field may accept a number or a text, such as the product of Gumroad.
    const isNumber = JSON.stringify(each).includes('"integer"') && /^[0-9]+$/.test(text);
    body[name] = isNumber ? Number(text) : text;
  }
  return { type, text: JSON.stringify(body) };
}

/** The answer without its date, its request id and the ids of the request. */
function describeAnswer({ status, headers, text }: Answer, [value, freshId]: [string, string]) {
  const requestId = String(headers['x-request-id']);
  const { date: _date, ...rest } = headers;
  const plain = (given: string) =>
    given
      .replaceAll(requestId, 'REQUEST')
      .replaceAll(freshId, 'FRESH')
      .replaceAll(JSON.stringify(value), '"VALUE"');
  // Two created objects have different numbers and secrets, so only the shape and `result` are compared.
  const isMade =
    status < 300 &&
    /"(?:created|duplicate|secret|purchase_code|external_id|url|sent|meaning|licence)"/.test(text);
  return {
    status,
    headers: isMade ? '' : plain(JSON.stringify(rest)),
    body: isMade ? JSON.stringify(shapeOf(JSON.parse(text))) : plain(text),
  };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const shapes = Object.entries(value).map(([name, each]) => [
    name,
    name === 'result' ? each : shapeOf(each),
  ]);
  return Object.fromEntries(shapes);
}
