// Sends the calls of a reference to the service they are of, in their order, and keeps the answers.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { App } from '../app.ts';
import type { OpenApiDocument } from '../reference/document.ts';
import type { Example } from '../reference/reference.ts';

type Headers = Readonly<Record<string, string>>;

/** Each example as it comes out now. A later call names what an earlier one was given. */
export async function playExamples(
  app: App,
  examples: readonly Example[],
  headers: Headers,
): Promise<Example[]> {
  const renamed = new Map<string, string>();
  const played: Example[] = [];
  for (const each of examples) {
    const request = rename(each.request, renamed) as Example['request'];
    const { method, url } = address(each.operation, request);
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...request.headers },
      ...(request.body !== undefined && { payload: request.body as object }),
    });
    const told: unknown = answer.json();
    noteNames(each.answer, told, renamed);
    played.push({ operation: each.operation, request, status: answer.statusCode, answer: told });
  }
  return played;
}

function address(operation: string, { path = {}, query = {} }: Example['request']) {
  const [method = '', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return { method, url: search === '' ? filled : `${filled}?${search}` };
}

/** What was drawn at random then, and is another now. */
function noteNames(then: unknown, now: unknown, renamed: Map<string, string>): void {
  if (typeof then === 'string' && typeof now === 'string' && then.length >= 8 && then !== now) {
    renamed.set(then, now);
  }
  if (typeof then !== 'object' || typeof now !== 'object' || !then || !now) return;
  for (const [key, value] of Object.entries(then)) {
    noteNames(value, (now as Record<string, unknown>)[key], renamed);
  }
}

function rename(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamed.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => rename(each, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, rename(each, renamed)]),
  );
}

/** The names and kinds of everything in an answer, without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

/** What an example says and the service does not: another status, shape, or a broken schema. */
export function findFalseExamples(
  examples: readonly Example[],
  played: readonly Example[],
  { paths }: OpenApiDocument,
): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return played.flatMap(({ operation, status, answer }, i) => {
    const said = examples[i];
    const [method = '', path = ''] = operation.split(' ');
    const documented = paths[path]?.[method.toLowerCase()]?.responses?.[status];
    const schema = documented?.content?.['application/json']?.schema;
    const isSame = JSON.stringify(shapeOf(answer)) === JSON.stringify(shapeOf(said?.answer));
    return [
      ...(said?.status === status ? [] : [`is ${status}: ${JSON.stringify(answer)}`]),
      ...(isSame ? [] : ['has another shape: run npm run openapi']),
      ...(schema && ajv.validate(schema, answer) ? [] : [`breaks its schema: ${ajv.errorsText()}`]),
    ].map((problem) => `the example of ${operation} ${problem}`);
  });
}
