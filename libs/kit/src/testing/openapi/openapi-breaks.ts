// Finds changes of the API that break clients of the last release.
import {
  listOperations,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from '../../http/openapi/document.ts';
import { inlineSchemas } from '../../http/openapi/name-schemas.ts';

/**
 * Whether a release promises this operation. Operations of the panel are not promised, because the panel is
 * released together with its service.
 */
const isPromised = ({ tags = [] }: Operation) => !tags.includes('Panel');

/**
 * Makes the promise of a release: the operations that the release promises, without descriptions and
 * examples, and with every reference resolved.
 */
export function makePromise(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(inlineSchemas(document).paths).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).filter(([, each]) => isPromised(each))),
  ]);
  const kept = paths.filter(([, operations]) => Object.keys(operations ?? {}).length > 0);
  const text = JSON.stringify({ paths: Object.fromEntries(kept) });
  return JSON.parse(text, function (this: object, key: string, value: unknown) {
    return isProse(this, key, value) ? undefined : value;
  }) as OpenApiDocument;
}

/**
 * Whether a value is only text for readers, such as a description or an example. An API field may also be
 * called `description` or `example`; it is not text for readers.
 */
function isProse(holder: object, key: string, value: unknown): boolean {
  if (key === 'example') return 'schema' in holder;
  if (key === 'examples') return Array.isArray(value);
  return /^(?:description|summary|operationId)$/.test(key) && typeof value === 'string';
}

export function findBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const now = new Map(listOperations(inlineSchemas(after)));
  return listOperations(inlineSchemas(before))
    .filter(([, operation]) => isPromised(operation))
    .flatMap(([name, old]) => {
      const present = now.get(name);
      if (!present) return [`${name} is gone`];
      return [
        ...compareParameters(old, present),
        ...compareBodies(old, present),
        ...compareAnswers(old, present),
      ].map((problem) => `${name}: ${problem}`);
    });
}

function compareParameters(old: Operation, present: Operation): string[] {
  const keyOf = ({ in: place, name }: Parameter) => `${place} ${name}`;
  const before = new Map((old.parameters ?? []).map((each) => [keyOf(each), each]));
  const after = new Map((present.parameters ?? []).map((each) => [keyOf(each), each]));
  const demanded = [...after].filter(([key, each]) => each.required && !before.get(key)?.required);
  return [
    ...[...before].flatMap(([key, each]) => {
      const kept = after.get(key);
      if (!kept) return [`the parameter ${key} is gone`];
      if (isSameNumber(each.schema ?? {}, kept.schema ?? {})) return [];
      return compareSchemas(each.schema ?? {}, kept.schema ?? {}, `parameter ${key}`, 'asked');
    }),
    ...demanded.map(([key]) => `the parameter ${key} is required now`),
  ];
}

/**
 * Whether the type of a parameter changed from a text of digits to an integer. This change breaks no client,
 * because a client sends the parameter as text in both cases.
 */
const isSameNumber = (old: Schema, present: Schema): boolean =>
  old.type === 'string' &&
  present.type === 'integer' &&
  /^\^(?:0\*)?\(?\[[01]-9\][^.]*\$$/.test(old.pattern ?? '');

function compareBodies({ requestBody: old }: Operation, { requestBody: present }: Operation) {
  const before = old?.content ?? {};
  const after = present?.content ?? {};
  return [
    ...(present?.required && !old?.required ? ['the body is required now'] : []),
    ...Object.entries(before).flatMap(([type, { schema = {} }]) => {
      const kept = after[type];
      if (!kept) return [`a body of type ${type} is no longer accepted`];
      return compareSchemas(schema, kept.schema ?? {}, 'body', 'asked');
    }),
  ];
}

function compareAnswers(old: Operation, present: Operation): string[] {
  return Object.entries(old.responses ?? {}).flatMap(([status, { content = {} }]) => {
    const kept = present.responses?.[status];
    if (!kept) return [`the answer ${status} is gone`];
    return Object.entries(content).flatMap(([type, { schema = {} }]) => {
      const now = kept.content?.[type];
      if (!now) return [`the answer ${status} is no longer sent as ${type}`];
      return compareSchemas(schema, now.schema ?? {}, status, 'answered');
    });
  });
}

/** A schema into which its alternatives (`anyOf`, `oneOf`) and its parts (`allOf`) are merged. */
interface Flat {
  readonly types: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  readonly items: Schema | undefined;
}

function flatten(schema: Schema): Flat {
  const { anyOf = [], oneOf = [], allOf = [], type = [], $ref, items } = schema;
  const either = [...anyOf, ...oneOf].map(flatten);
  const all = allOf.map(flatten);
  const parts = [...either, ...all];
  const literals = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const required = [...(schema.required ?? []), ...listCommon(either)];
  // A schema without a type has the types of its enumerated values.
  const own = type.length === 0 ? literals.map((value) => typeof value) : [type].flat();
  return {
    types: new Set([own, $ref ?? [], ...parts.map((each) => [...each.types])].flat()),
    values: new Set([literals.map(String), ...parts.map((each) => [...each.values])].flat()),
    fields: new Map([
      ...Object.entries(schema.properties ?? {}),
      ...parts.flatMap((each) => [...each.fields]),
    ]),
    required: new Set([required, ...all.map((each) => [...each.required])].flat()),
    items: items ?? parts.find((each) => each.items)?.items,
  };
}

/**
 * Lists the fields that every object among the alternatives requires. Alternatives such as null are ignored.
 */
function listCommon(either: readonly Flat[]): string[] {
  const objects = either.filter(({ types }) => types.size === 0 || types.has('object'));
  const [first, ...others] = objects;
  return [...(first?.required ?? [])].filter((name) => others.every((each) => each.required.has(name)));
}

function compareSchemas(
  old: Schema,
  present: Schema,
  path: string,
  direction: 'asked' | 'answered',
): string[] {
  const before = flatten(old);
  const after = flatten(present);
  const formatTypes = (types: ReadonlySet<string>) => [...types].sort().join(' or ') || 'anything';
  // A request may accept more types than before. An answer must keep its types.
  const isWidened = before.types.size > 0 && [...before.types].every((each) => after.types.has(each));
  const isSame =
    formatTypes(before.types) === formatTypes(after.types) ||
    (direction === 'asked' && (after.types.size === 0 || isWidened));
  const lost = [...before.values].filter((value) => !after.values.has(value));
  // If the field had no list of values in the last release, it accepted every value. So a new list breaks
  // requests.
  const isNarrowed = direction === 'asked' && before.values.size === 0 && after.values.size > 0;
  const demanded = [...after.required].filter((name) => !before.required.has(name));
  const loosened = [...before.required].filter((name) => !after.required.has(name));
  return [
    ...(isSame ? [] : [`${path} was ${formatTypes(before.types)}, and is ${formatTypes(after.types)}`]),
    ...(after.values.size > 0 || direction === 'answered' ? lost : []).map(
      (value) => `${path} lost the value ${value}`,
    ),
    ...(isNarrowed ? [`${path} accepts only listed values now`] : []),
    ...(direction === 'asked' ? demanded : []).map((name) => `${path}.${name} is required now`),
    ...(direction === 'answered' ? loosened : [])
      .filter((name) => after.fields.has(name))
      .map((name) => `${path}.${name} may be absent now`),
    ...[...before.fields].flatMap(([name, field]) => {
      const kept = after.fields.get(name);
      if (!kept) return [`${path}.${name} is gone`];
      return compareSchemas(field, kept, `${path}.${name}`, direction);
    }),
    ...(before.items && after.items ? compareSchemas(before.items, after.items, `${path}[]`, direction) : []),
  ];
}
