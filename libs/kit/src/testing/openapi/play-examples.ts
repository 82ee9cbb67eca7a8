// Sends the example calls of an API reference to the service, in order, and records the answers.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { App } from '../../http/app.ts';
import { mapValues, type OpenApiDocument, type Response } from '../../http/openapi/document.ts';
import { inlineSchemas } from '../../http/openapi/name-schemas.ts';
import type { Example } from '../../http/openapi/reference.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Sends each example call, and returns the example with its current answer. If an answer contains a new id,
 * the later calls use the new id in place of the old one.
 */
export async function playExamples(
  app: App,
  examples: readonly Example[],
  headersOf: (operation: string) => Headers,
): Promise<Example[]> {
  const renamed = new Map<string, string>();
  const played: Example[] = [];
  for (const each of examples) {
    const request = rename(each.request, renamed) as Example['request'];
    const { method, url } = address(each.operation, request);
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...headersOf(each.operation), ...request.headers },
      ...(request.body !== undefined && { payload: request.body as object }),
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const received: unknown = isJson ? answer.json() : answer.body;
    recordNames(each.answer, received, renamed);
    played.push({ operation: each.operation, request, status: answer.statusCode, answer: received });
  }
  return played;
}

function address(operation: string, { path = {}, query = {} }: Example['request']) {
  const [method = '', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return { method, url: search === '' ? filled : `${filled}?${search}` };
}

/**
 * Compares the old answer of an example with the new answer, and records texts that have changed, such as
 * ids. Texts of less than 8 characters are ignored.
 */
function recordNames(then: unknown, now: unknown, renamed: Map<string, string>): void {
  if (typeof then === 'string' && typeof now === 'string' && then.length >= 8 && then !== now) {
    renamed.set(then, now);
  }
  if (typeof then !== 'object' || typeof now !== 'object' || !then || !now) return;
  for (const [key, value] of Object.entries(then)) {
    recordNames(value, (now as Record<string, unknown>)[key], renamed);
  }
}

function rename(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamed.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => rename(each, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues(value as Record<string, unknown>, (each) => rename(each, renamed));
}

/** Whether two answers have the same field names and types. Null and an empty list match everything. */
function haveSameShape(said: unknown, received: unknown): boolean {
  if (said === null || received === null) return true;
  if (typeof said !== 'object' || typeof received !== 'object') return typeof said === typeof received;
  if (Array.isArray(said) || Array.isArray(received)) {
    const [first, now] = [said, received].map((list) => (Array.isArray(list) ? list[0] : undefined));
    const isEmpty = first === undefined || now === undefined;
    return Array.isArray(said) === Array.isArray(received) && (isEmpty || haveSameShape(first, now));
  }
  const [names, now] = [said, received].map((each) => Object.keys(each).sort().join());
  return (
    names === now &&
    Object.entries(said).every(([name, each]) =>
      haveSameShape(each, (received as Record<string, unknown>)[name]),
    )
  );
}

/**
 * Returns the content type and the schema that are documented for an answer. `answer` is a string if the
 * answer was not JSON.
 */
function findContent(documented: Response | undefined, answer: unknown) {
  const isJson = (type: string) => type === 'application/json';
  const entries = Object.entries(documented?.content ?? {});
  const found = entries.find(([type]) => isJson(type) === (typeof answer !== 'string'));
  return [found?.[0], found?.[1].schema] as const;
}

const secret = /^(?:api_secret|aes_key|token|url|link)$/;

/** Shortens secrets, so that no example looks like a usable secret. */
export function hideSecrets(examples: readonly Example[]): Example[] {
  return JSON.parse(JSON.stringify(examples), (key, value) =>
    secret.test(key) && typeof value === 'string' ? `${value.slice(0, 4)}…` : value,
  ) as Example[];
}

/**
 * Finds the differences between the examples and the answers of the service: another status, other fields, or
 * a violated schema.
 */
export function findFalseExamples(
  examples: readonly Example[],
  played: readonly Example[],
  document: OpenApiDocument,
): string[] {
  const { paths } = inlineSchemas(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return played.flatMap(({ operation, status, answer }, i) => {
    const said = examples[i];
    if (said?.status !== status || status >= 400) {
      return [`the example of ${operation}: ${status} ${JSON.stringify(answer)}`];
    }
    const [method = '', path = ''] = operation.split(' ');
    const documented = paths[path]?.[method.toLowerCase()]?.responses?.[status];
    const [type, schema] = findContent(documented, answer);
    const isSame = said.answer !== null && haveSameShape(said.answer, answer);
    return [
      ...(isSame ? [] : ['has other fields or types than the answer: run npm run openapi']),
      ...(type === undefined ? ['is of a type that is not documented'] : []),
      ...(!schema || ajv.validate(schema, answer) ? [] : [`breaks its schema: ${ajv.errorsText()}`]),
    ].map((problem) => `the example of ${operation} ${problem}`);
  });
}
