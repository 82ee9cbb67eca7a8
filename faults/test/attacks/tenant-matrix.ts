// Asks for another tenant's thing and for one that is not there, and holds the two side by side.
import { escapeText } from './cases.ts';
import type { Operation, Schema } from './operations.ts';
import type { Answer, Sender } from './send.ts';
import type { StatementLog } from './statements.ts';
import type { Target } from './target.ts';

/** The id's name and where in the request it stands. */
export interface Place {
  readonly name: string;
  readonly at: 'path' | 'query' | 'body';
}

export interface Matrix {
  readonly target: Target;
  readonly sender: Sender;
  readonly log: StatementLog;
  /** Names of ids that are a tenant's own. */
  readonly names: ReadonlySet<string>;
  /** What a body must hold beside ids for the id to be looked at; by the end of the path. */
  readonly bodies: readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[];
}

const bodySchema = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content?.['application/json']?.schema;

export function listPlaces(operation: Operation, names: ReadonlySet<string>): Place[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inQuery = operation.parameters
    .filter((each) => each.in === 'query')
    .map((each) => each.name);
  const inBody = Object.keys(bodySchema(operation)?.properties ?? {});
  const place = (at: Place['at']) => (name: string) => ({ name, at });
  return [
    ...inPath.map(place('path')),
    ...inQuery.map(place('query')),
    ...inBody.map(place('body')),
  ].filter(({ name }) => names.has(name));
}

export interface Observed {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  readonly statements: readonly string[];
}

/** Own things everywhere but in one place. */
export async function ask(
  matrix: Matrix,
  operation: Operation,
  place: Place,
  whose: 'own' | 'foreign' | 'unknown',
): Promise<Observed> {
  const { target, sender, log } = matrix;
  const value = target.tell(place.name, whose);
  const tell = (name: string, at: Place['at']) =>
    name === place.name && at === place.at ? value : target.tell(name, 'own');
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    escapeText(tell(name, 'path')),
  );
  const query = operation.parameters
    .filter((each) => each.in === 'query' && (each.required || each.name === place.name))
    .map((each) => `${each.name}=${escapeText(tell(each.name, 'query'))}`);
  const body = makeBody(matrix, operation, tell, place);
  const { headers } = target.letters(operation, 'own');
  log.take();
  const answer = await sender.send({
    method: operation.method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: { ...headers, ...(body && { 'content-type': body.type }) },
    ...(body && { body: body.bytes }),
  });
  return { ...tellApart(answer, value), statements: log.take() };
}

function makeBody(
  matrix: Matrix,
  operation: Operation,
  tell: (name: string, at: Place['at']) => string,
  place: Place,
): { type: string; bytes: Buffer } | undefined {
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  if (type === undefined) return undefined;
  if (type !== 'application/json') return { type, bytes: Buffer.from('a file') };
  const schema = bodySchema(operation) ?? {};
  const given = matrix.bodies.find(([end]) => end.test(operation.path))?.[1] ?? {};
  const body: Record<string, unknown> = { ...given };
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const isWanted =
      schema.required?.includes(name) || (place.at === 'body' && place.name === name);
    if (!isWanted || !(matrix.names.has(name) || name === 'password')) continue;
    const text = tell(name, 'body');
    const isNumber = JSON.stringify(each).includes('"integer"');
    body[name] = isNumber ? Number(text) : text;
  }
  return { type, bytes: Buffer.from(JSON.stringify(body)) };
}

/** The answer without what names the single request, or the thing that was asked for. */
function tellApart({ status, headers, text }: Answer, value: string) {
  const requestId = String(headers['x-request-id']);
  const { date: _date, ...rest } = headers;
  const plain = (given: string) =>
    given.replaceAll(requestId, 'REQUEST').replaceAll(JSON.stringify(value), '"VALUE"');
  // What was made has numbers and secrets of its own; its shape is the same.
  const isMade = status < 300 && /"(?:created|duplicate|secret|purchase_code|url|sent)"/.test(text);
  return {
    status,
    headers: isMade ? '' : plain(JSON.stringify(rest)),
    body: isMade ? JSON.stringify(shapeOf(JSON.parse(text))) : plain(text),
  };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}
