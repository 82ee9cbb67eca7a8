// Finds parts of an OpenAPI document that other tools cannot read or would misread.
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  listOperations,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from '../../http/openapi/document.ts';

type Node = Readonly<Record<string, unknown>>;

/** Lists every schema of the document with a path to it, such as `GET /items query limit`. */
export function* listSchemas(document: OpenApiDocument): Generator<[string, Schema]> {
  for (const [name, operation] of listOperations(document)) {
    for (const { in: place, name: own, schema } of operation.parameters ?? []) {
      if (schema) yield* walk(schema, `${name} ${place} ${own}`);
    }
    for (const [place, content] of listContents(operation)) {
      for (const { schema } of Object.values(content)) {
        if (schema) yield* walk(schema, `${name} ${place}`);
      }
    }
  }
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    yield* walk(schema, name);
  }
}

const listContents = ({ requestBody, responses = {} }: Operation) => [
  ['body', requestBody?.content ?? {}] as const,
  ...Object.entries(responses).map(([status, each]) => [status, each.content ?? {}] as const),
];

function* walk(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  for (const [name, field] of Object.entries(properties)) yield* walk(field, `${path}.${name}`);
  if (items) yield* walk(items, `${path}[]`);
  if (typeof additionalProperties === 'object') yield* walk(additionalProperties, `${path}.*`);
  for (const each of [...anyOf, ...oneOf, ...allOf]) yield* walk(each, path);
}

export const listPatterns = (document: OpenApiDocument): string[] => [
  ...new Set([...listSchemas(document)].flatMap(([, { pattern }]) => pattern ?? [])),
];

const isOneValue = (each: Schema) => each.const !== undefined || each.enum?.length === 1;

/** Whether a schema neither has a type nor restricts its value in another way. */
const isUntyped = (schema: Schema) =>
  !['type', 'anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const', 'required', 'not'].some(
    (keyword) => (schema as Node)[keyword] !== undefined,
  );

export function findDocumentFaults(document: OpenApiDocument): string[] {
  const schemas = [...listSchemas(document)];
  return [
    ...listPatterns(document).flatMap(findPatternFaults),
    ...schemas
      .filter(([path, schema]) => / body\.| (?:query|header|path) /.test(path) && isUntyped(schema))
      .map(([path]) => `${path} has no type`),
    ...schemas
      .filter(([, { anyOf = [] }]) => anyOf.length > 1 && anyOf.every(isOneValue))
      .map(([path]) => `${path} is written as alternatives instead of one enum`),
    ...schemas.flatMap(([path, schema]) => findFalseExamples(path, schema)),
    ...listOperations(document).flatMap(([name, operation]) => findOperationFaults(name, operation)),
  ];
}

function findPatternFaults(pattern: string): string[] {
  const compiles = (flags: string) => {
    try {
      return Boolean(new RegExp(pattern, flags));
    } catch {
      return false;
    }
  };
  const isForeign = /\\[pPuhHdDwWsSzZAbB]|\(\?/.test(pattern);
  return [
    ...['', 'u'].filter((flags) => !compiles(flags)).map((flags) => `with the flags "${flags}"`),
    ...(isForeign ? ['in every engine: it has escapes or groups that some engines read differently'] : []),
  ].map((where) => `${pattern} does not compile ${where}`);
}

const ajvs = [true, false].map(
  (unicodeRegExp) => new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp }),
);

function findFalseExamples(path: string, schema: Schema): string[] {
  const { examples = [] } = schema;
  // A schema with references cannot be checked alone, because the references point into the document.
  if (JSON.stringify(schema).includes('"$ref"')) return [];
  return examples
    .filter((example) => ajvs.some((ajv) => !ajv.validate(schema, example)))
    .map((example) => `${path} does not allow its own example ${JSON.stringify(example)}`);
}

/**
 * Whether browsers or security schemes set the header. The document must not list such a header as a
 * parameter.
 */
const isReserved = (name: string) =>
  /^(?:origin|x-uid|x-api-key|x-api-secret|authorization|accept|content-type)$/i.test(name);

function findOperationFaults(name: string, { security, parameters = [] }: Operation): string[] {
  return [
    ...(security ? [] : [`${name} does not say whether it needs credentials`]),
    ...parameters
      .filter((each) => each.in === 'header' && isReserved(each.name))
      .map((each) => `${name} lists the header ${each.name}`),
  ];
}
