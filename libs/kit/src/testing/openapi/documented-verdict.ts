// Checks whether an OpenAPI document allows a request. Tests compare the result with the service's answer.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument, Operation, Schema } from '../../http/openapi/document.ts';
import { inlineSchemas } from '../../http/openapi/name-schemas.ts';

export interface DocumentedRequest {
  /** The operation as the document names it, such as `GET /api/items/all`. */
  readonly operation: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface RequestValues {
  /** The path parameters. If undefined, they are not checked. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Headers by name in lower case. */
  readonly header: Readonly<Record<string, string>>;
  /** The body. If undefined, it is not checked. */
  readonly body?: unknown;
  readonly mediaType?: string;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
const ajv = new Ajv2020({
  strict: false,
  formats: {
    'date-time': (text: string) => instant.test(text) && !Number.isNaN(Date.parse(text)),
    uri: (text: string) => URL.canParse(text),
  },
});
const compiled = new WeakMap<object, ValidateFunction>();

function findSchemaFault(schema: Schema, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message}`;
}

/** Converts the text of a parameter or form field to the type that its schema requires. */
export function readText(text: string, schema: Schema): unknown {
  const types = listTypes(schema);
  if (types.includes('integer') && /^(?:0|-?[1-9]\d*)$/.test(text)) return Number(text);
  if (types.includes('number') && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text);
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

const listTypes = (schema: Schema): string[] => [
  ...[schema.type ?? []].flat(),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(listTypes),
];

/**
 * Finds the first value that the operation does not allow, and describes it, such as `query limit must be <=
 * 100`.
 */
export function findRequestFault(
  { parameters = [], requestBody }: Pick<Operation, 'parameters' | 'requestBody'>,
  values: RequestValues,
): string | undefined {
  for (const { name, in: place, required, schema = {} } of parameters) {
    const given = values[place as 'path' | 'query' | 'header'];
    if (given === undefined) continue;
    const text = given[place === 'header' ? name.toLowerCase() : name]?.trim();
    if (text === undefined && required) return `${place} ${name} is missing`;
    if (text === undefined) continue;
    const fault = findSchemaFault(schema, readText(text, schema));
    if (fault !== undefined) return `${place} ${name}${fault}`;
  }
  const { body, mediaType = 'application/json' } = values;
  const schema = requestBody?.content?.[mediaType]?.schema;
  if (schema === undefined || body === undefined) return undefined;
  const fault = findSchemaFault(schema, body);
  return fault === undefined ? undefined : `body${fault}`;
}

export function isDocumented(document: OpenApiDocument, request: DocumentedRequest): boolean {
  const { operation: name, query = {}, headers = {}, body } = request;
  const [method = '', path = ''] = name.split(' ');
  const operation = inlineSchemas(document).paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`the document has no ${name}`);
  return findRequestFault(operation, { query, header: headers, body }) === undefined;
}
