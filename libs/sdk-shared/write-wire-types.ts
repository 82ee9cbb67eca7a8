// Writes the TypeScript types of a client from the OpenAPI document of its service.

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly pattern?: string;
  readonly description?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Wanted {
  /** The name of the service, for the first line of the file. */
  readonly service: string;
  /** The key is an operation such as `get /api/v1/package`. The value is the prefix of its type names. */
  readonly operations: Readonly<Record<string, string>>;
  /**
   * The key is the name of a shared type. The value is an operation, and the path to the type in the
   * operation's answer.
   */
  readonly shapes: Readonly<Record<string, readonly [operation: string, ...path: string[]]>>;
  /** The names of number fields that are not amounts of money. */
  readonly plainNumbers: readonly string[];
}

const json = 'application/json';

/** Whether a field is in every answer. Such a field gets no comment. */
const isEnvelope = (name: string, { enum: values }: Schema) =>
  values?.join() === 'success' || name === 'data' || name === 'request_id';

/**
 * Writes the types of the client. The client has its own names for types, so `document` must not contain
 * references to named schemas.
 */
export function writeWireTypes(document: OpenApi, wanted: Wanted): string {
  const writer = createWriter(document, wanted);
  const shapes = Object.keys(wanted.shapes).map((name) => writer.writeShape(name));
  const types = Object.entries(wanted.operations).flatMap(([key, name]) => {
    const operation = getOperation(document, key);
    return [
      writer.declare(`${name}Query`, querySchema(operation), 'input'),
      writer.declare(`${name}Body`, operation.requestBody?.content[json]?.schema, 'input'),
      writer.declare(`${name}Answer`, answerSchema(operation), 'output'),
    ].filter((text) => text !== '');
  });
  return [
    `// Generated from the OpenAPI document of ${wanted.service}; CONTRIBUTING.md says how to update it.`,
    "import type { Amount } from '../../sdk-shared/src/amount.ts';",
    '',
    '/** The amounts, as parent.field: JSON numbers on the wire, decimal strings in the client. */',
    'export const amountFields: ReadonlySet<string> = new Set([',
    ...listAmounts(document, wanted).map((name) => `  '${name}',`),
    ']);',
    '',
    [...shapes, ...types].join('\n\n'),
    '',
  ].join('\n');
}

function getOperation(document: OpenApi, key: string): Operation {
  const [method = '', path = ''] = key.split(' ');
  const operation = document.paths[path]?.[method];
  if (!operation) throw new Error(`there is no ${key}`);
  return operation;
}

const answerSchema = (operation: Operation): Schema | undefined =>
  operation.responses['200']?.content?.[json]?.schema;

/** Lets a numeric query parameter be given as text too, because every parameter is sent as text. */
const orText = (schema: Schema): Schema =>
  schema.type === 'integer' ? { anyOf: [schema, { type: 'string' }] } : schema;

/** Returns the schema of the query. The API key is left out, because the client sends it in a header. */
function querySchema({ parameters = [] }: Operation): Schema | undefined {
  const given = parameters.filter((each) => each.in === 'query' && each.name !== 'api_key');
  if (given.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      given.map(({ name, schema, description }) => [
        name,
        { ...orText(schema), ...(description !== undefined && { description }) },
      ]),
    ),
    required: given.filter((each) => each.required).map((each) => each.name),
  };
}

/**
 * Lists the number fields that are amounts, as parent.field. A field must be an amount everywhere or nowhere.
 */
function listAmounts(document: OpenApi, wanted: Wanted): string[] {
  const [amounts, counts] = [new Set<string>(), new Set<string>()];
  const walk = (schema: Schema, parent: string, field: string): void => {
    if (schema.type === 'integer') counts.add(`${parent}.${field}`);
    if (schema.type === 'number' && !wanted.plainNumbers.includes(field)) {
      amounts.add(`${parent}.${field}`);
    }
    // Only fields that the client must convert are listed. A field that also accepts decimal text is sent as
    // text, without a conversion.
    const isText = schema.anyOf?.some((each) => each.type === 'string');
    if (!isText) for (const each of schema.anyOf ?? []) walk(each, parent, field);
    if (schema.items) walk(schema.items, parent, field);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, field, name);
  };
  for (const key of Object.keys(wanted.operations)) {
    const operation = getOperation(document, key);
    for (const schema of [answerSchema(operation), operation.requestBody?.content[json]?.schema]) {
      if (schema) walk(schema, '', '');
    }
  }
  const ambiguous = [...amounts].filter((name) => counts.has(name));
  if (ambiguous.length > 0) throw new Error(`${ambiguous} are amounts in some places only`);
  return [...amounts].sort();
}

type Direction = 'input' | 'output';

function findShapeSchemas(document: OpenApi, wanted: Wanted): Map<string, Schema> {
  return new Map(
    Object.entries(wanted.shapes).map(([name, [key, ...path]]) => {
      const found = path.reduce<Schema | undefined>(
        (schema, step) => (step === '[]' ? schema?.items : schema?.properties?.[step]),
        answerSchema(getOperation(document, key)),
      );
      if (!found) throw new Error(`there is no ${name} at ${key} ${path.join('.')}`);
      return [name, found] as const;
    }),
  );
}

/** Writes the type of a single value. Returns undefined for arrays and objects. */
function writeScalar(schema: Schema, at: Position, wanted: Wanted): string | undefined {
  switch (schema.type) {
    case 'null':
    case 'boolean':
      return schema.type;
    case 'string':
      return at.direction === 'input' && isDigits(schema) ? 'number | string' : 'string';
    case 'integer':
      return 'number';
    case 'number':
      return wanted.plainNumbers.includes(at.field) ? 'number' : 'Amount';
    default:
      return undefined;
  }
}

function createWriter(document: OpenApi, wanted: Wanted) {
  const shapeSchemas = findShapeSchemas(document, wanted);
  const fingerprints = new Map(
    [...shapeSchemas].map(([name, schema]) => [fingerprint(schema), name] as const),
  );

  const writeType = (schema: Schema, at: Position): string => {
    const shape = at.own ? undefined : fingerprints.get(fingerprint(schema));
    if (shape !== undefined) return shape;
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum) return union(schema.enum.map(literal));
    if (schema.anyOf && !schema.properties) {
      // On the wire an amount is a number or its decimal text. In the client it is an `Amount`.
      const isAmount = schema.anyOf.some((each) => each.type === 'number');
      const either = schema.anyOf.filter((each) => !isAmount || each.type !== 'string');
      return union(either.map((each) => writeType(each, inside(at))));
    }
    if (Array.isArray(schema.type)) {
      const each = schema.type.map((type: string) => writeType({ ...schema, type }, inside(at)));
      return union(each);
    }
    if (schema.type === 'array') return writeArray(writeType(schema.items ?? {}, inside(at)));
    if (schema.type === 'object') return writeObject(schema, inside(at));
    return writeScalar(schema, at, wanted) ?? 'unknown';
  };

  const writeObject = (schema: Schema, at: Position): string => {
    if (!schema.properties) {
      const record = schema.additionalProperties;
      const inner = typeof record === 'object' ? writeType(record, at) : 'unknown';
      return `Readonly<Record<string, ${inner}>>`;
    }
    const indent = '  '.repeat(at.depth + 1);
    const fields = Object.entries(schema.properties)
      .filter(([name]) => name !== 'api_key')
      .map(([name, inner]) => {
        const within = { ...at, field: name, depth: at.depth + 1, own: false };
        const isRequired = schema.required?.includes(name) ?? false;
        const type = writeType(inner, within);
        const isOpen = !isRequired && at.direction === 'input' && !type.startsWith('{');
        const whole = isOpen ? union([type, 'undefined']) : type;
        const lead = `${indent}readonly ${name}${isRequired ? '' : '?'}:`;
        const description = isEnvelope(name, inner) ? undefined : inner.description;
        return `${comment(description, indent)}${layOut(lead, whole, indent)}`;
      });
    return `{\n${fields.join('\n')}\n${'  '.repeat(at.depth)}}`;
  };

  const declare = (name: string, schema: Schema | undefined, direction: Direction): string => {
    if (!schema) return '';
    const type = writeType(schema, { field: '', depth: 0, own: true, direction });
    if (type.startsWith('{')) return `export interface ${name} ${type}`;
    return `${layOut(`export type ${name} =`, type, '')}`;
  };

  return {
    declare,
    writeShape: (name: string) => declare(name, shapeSchemas.get(name), 'output'),
  };
}

interface Position {
  readonly field: string;
  readonly depth: number;
  /** True at the declaration of a shared type, which must be written out and must not refer to itself. */
  readonly own: boolean;
  readonly direction: Direction;
}

const inside = (at: Position): Position => ({ ...at, own: false });

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

/** Joins types and removes duplicates. A type that contains an object is not split. */
const union = (types: readonly string[]): string => {
  const parts = types.flatMap((type) => (type.includes('{') ? [type] : type.split(' | ')));
  return [...new Set(parts)].join(' | ');
};

const writeArray = (inner: string): string =>
  / \| /.test(inner.replace(/\{[\s\S]*\}/, '')) ? `readonly (${inner})[]` : `readonly ${inner}[]`;

/** Whether the pattern allows only digits. A text of digits may also be given as a number. */
const isDigits = ({ pattern = '' }: Schema) =>
  /^\^(?:0\*)?\(?\[[01]-9\]/.test(pattern) && !pattern.includes('\\.');

const fingerprint = (schema: Schema): string =>
  JSON.stringify(schema, (name, value) => (name === 'description' ? undefined : value));

const longestLine = 100;

/** Breaks lines as the code formatter does. */
function layOut(lead: string, type: string, indent: string): string {
  const line = `${lead} ${type};`;
  const first = line.split('\n', 1)[0] ?? '';
  if (first.length <= longestLine) return line;
  return [lead, ...type.split(' | ').map((each) => `${indent}  | ${each}`)].join('\n').concat(';');
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const words = text.replaceAll('*/', '* /').split(/\s+/);
  const one = `${indent}/** ${words.join(' ')} */`;
  if (one.length <= longestLine) return `${one}\n`;
  const lines = [''];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (`${indent} * ${last} ${word}`.length > longestLine) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
