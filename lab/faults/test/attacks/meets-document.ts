// Tells whether a request is one that the OpenAPI document allows.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation, Schema } from './operations.ts';
import type { Sent } from './send.ts';

/** `unclear`: the document says nothing about what is unusual in this request. */
export type Verdict =
  | { readonly is: 'allowed' }
  | { readonly is: 'forbidden'; readonly why: string }
  | { readonly is: 'unclear' };

const allowed: Verdict = { is: 'allowed' };
const unclear: Verdict = { is: 'unclear' };
const forbid = (why: string): Verdict => ({ is: 'forbidden', why });

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
const ajv = new Ajv2020({
  strict: false,
  formats: {
    'date-time': (text: string) => instant.test(text) && !Number.isNaN(Date.parse(text)),
    uri: (text: string) => URL.canParse(text),
  },
});
const compiled = new WeakMap<object, ValidateFunction>();

function findFault(schema: Schema, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath} ${first?.message}`;
}

/** A parameter or a field of a form is text; the schema says what the text stands for. */
function readText(text: string, schema: Schema): unknown {
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

/** Headers by which a request says how it is sent; a service may refuse them for that. */
const transportHeaders = ['content-encoding', 'expect', 'range', 'if-none-match', 'origin'];

export function meetsDocument(operation: Operation, sent: Sent): Verdict {
  if (transportHeaders.some((name) => name in sent.headers)) return unclear;
  const [path = '', query = ''] = sent.url.split('?');
  if (/%00|%EF%BF%BD/i.test(sent.url)) return unclear;
  const pairs = [...new URLSearchParams(query)];
  const names = pairs.map(([name]) => name);
  if (new Set(names).size < names.length) return unclear;
  // OpenAPI cannot say whether other parameters are ignored or refused.
  const queried = operation.parameters.filter((each) => each.in === 'query');
  if (names.some((name) => !queried.some((each) => each.name === name))) return unclear;
  const given = {
    path: readPath(operation.path, path),
    query: Object.fromEntries(pairs),
    header: sent.headers,
  };
  for (const { name, in: place, required, schema } of operation.parameters) {
    const text = given[place][place === 'header' ? name.toLowerCase() : name]?.trim();
    if (text === undefined && required) return forbid(`${place} ${name} is missing`);
    if (text === undefined) continue;
    const fault = findFault(schema, readText(text, schema));
    if (fault !== undefined) return forbid(`${place} ${name}${fault}`);
  }
  return meetsBody(operation, sent);
}

function readPath(template: string, path: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const form = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]*)');
  const values = new RegExp(`^${form}$`).exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')]));
}

function meetsBody({ requestBody, method }: Operation, { headers, body }: Sent): Verdict {
  if (!requestBody || method === 'GET' || method === 'HEAD')
    return body?.length ? unclear : allowed;
  const type = headers['content-type'] ?? '';
  const schema = requestBody.content?.[type]?.schema;
  if (!schema || !body) return unclear;
  const value = readBody(type, body, schema);
  if (value === undefined) return unclear;
  const fault = findFault(schema, value);
  return fault === undefined ? allowed : forbid(`body${fault}`);
}

/** `undefined` where the bytes are not what the type says. */
function readBody(type: string, body: Buffer, schema: Schema): unknown {
  const text = body.toString();
  if (text.includes('\ufffd')) return undefined;
  if (type === 'application/json') {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const pairs = [...new URLSearchParams(text)];
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return undefined;
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, readText(value, schema.properties?.[name] ?? {})]),
  );
}
