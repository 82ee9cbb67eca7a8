// Generates values from a schema. Most values are valid, and use names and ids that exist in the target.
import fc, { type Arbitrary } from 'fast-check';
import { nastyNumbers, nastyTexts } from './nasty-values.ts';
import type { Schema } from './operations.ts';

/**
 * A placeholder such as `@@item_id.own@@`, which is replaced with the tenant's value when the request is
 * sent. If the placeholder ends in `#`, the quotation marks around it are replaced too, so that the value is
 * a JSON number.
 */
const mark = (name: string, whose: string, isNumber: boolean) => `@@${name}.${whose}${isNumber ? '#' : ''}@@`;

export const fillMarks = (text: string, idOf: (name: string, whose: string) => string): string =>
  text
    .replace(/"@@([\w-]+)\.(\w+)#@@"/g, (_all, name, whose) => idOf(name, whose))
    .replace(/@@([\w-]+)\.(\w+)#?@@/g, (_all, name, whose) => idOf(name, whose));

const whose = fc.constantFrom('own', 'own', 'own', 'own', 'foreign', 'unknown');

/** The names of parameters and fields for which a target has values. */
export type KnownNames = ReadonlySet<string>;

const addresses = ['203.0.113.7', '203.0.113.0/24', '2001:db8::/32'];

const texts: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR', 'USD', 'JPY'],
  code: ['000000', 'invalid_amount'],
  overlap: ['0', '1h', '24h'],
  older_than: ['1h', '2d'],
  version: ['1.0.0', '1.2.3'],
  price: ['1', '19.99'],
  callback: ['bet', 'win', 'rollback', 'end_round', 'balance', 'bet_win'],
  action: ['bet', 'win', 'rollback', 'end_round', 'balance', 'bet_win'],
  format: ['csv', 'ndjson'],
  domain: ['shop.example', 'localhost'],
  domains: ['play.example', '*.shop.example'],
  caller_addresses: addresses,
  callback_addresses: addresses,
};

const times = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  .map((at) => `${at.toISOString().slice(0, 19)}Z`);

export function makeValue(schema: Schema, known: KnownNames, name = '', depth = 0): Arbitrary<unknown> {
  const plain = makeTyped(schema, known, name, depth);
  const type = typeOf(schema);
  if (!known.has(name) || (type !== 'string' && type !== 'integer' && type !== '')) return plain;
  const marks = whose.map((each) => mark(name, each, type === 'integer'));
  return fc.oneof({ weight: 5, arbitrary: marks }, { weight: 1, arbitrary: plain });
}

function typeOf(schema: Schema): string {
  if (typeof schema.type === 'string') return schema.type;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  return schema.type?.[0] ?? (first ? typeOf(first) : '');
}

function makeTyped(schema: Schema, known: KnownNames, name: string, depth: number): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either && !schema.properties)
    return fc.oneof(...either.map((each) => makeValue(each, known, name, depth)));
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return makeObject(schema, known, depth);
    case 'array':
      return fc.array(depth > 3 ? fc.constant('x') : makeValue(schema.items ?? {}, known, name, depth + 1), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31),
      });
    case 'number':
      return fc.integer({ min: 1, max: 10_000 }).map((minor) => minor / 100);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return makeText(schema, name);
    default:
      return fc.oneof(makeText(schema, name), fc.integer({ min: 0, max: 100 }));
  }
}

function makeObject(schema: Schema, known: KnownNames, depth: number): Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const model = Object.fromEntries(
    properties.map(([name, each]) => [name, makeValue(each, known, name, depth + 1)]),
  );
  const required = (schema.required ?? []).filter((name) => name in model);
  const make = (wanted: readonly string[], unwanted: readonly string[]) =>
    fc.record(Object.fromEntries(Object.entries(model).filter(([name]) => !unwanted.includes(name))), {
      requiredKeys: [...new Set([...required, ...wanted])],
      noNullPrototype: true,
    });
  const alternatives = listAlternatives(schema);
  if (alternatives.length === 0) return make([], []);
  const all = alternatives.flat();
  return fc.oneof(
    ...alternatives.map((wanted) =>
      make(
        wanted,
        all.filter((name) => !wanted.includes(name)),
      ),
    ),
  );
}

/** The names of required fields, for each alternative of a schema. */
const listAlternatives = ({ anyOf = [], oneOf = [] }: Schema): string[][] =>
  [...anyOf, ...oneOf].flatMap((each) => (each.required ? [[...each.required]] : listAlternatives(each)));

function makeText(schema: Schema, name: string): Arbitrary<string> {
  const known = texts[name];
  if (known) return fc.constantFrom(...known);
  if (schema.format === 'date-time' || /_at$|_until$|^from$|^to$|_since$/.test(name)) return times;
  if (/email/.test(name)) return fc.nat({ max: 99 }).map((n) => `guest${n}@test.example`);
  if (schema.pattern?.includes('://')) return fc.webUrl();
  if (schema.pattern && !schema.pattern.includes('[^')) {
    return fc.stringMatching(new RegExp(schema.pattern), { maxLength: schema.maxLength ?? 40 });
  }
  const minLength = schema.minLength ?? 0;
  return fc.string({
    unit: 'grapheme-ascii',
    minLength,
    maxLength: Math.max(minLength, Math.min(schema.maxLength ?? 24, 24)),
  });
}

/** Values of any type. Most of them are valid in no schema. */
export const anythingElse: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...nastyTexts),
  fc.constantFrom<unknown>(...nastyNumbers),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], ['x'], { toString: 1 }),
);
