// Marks on a route's schema that only its OpenAPI document reads: another form, a name, nothing at all.
import type { TSchema } from 'typebox';
import type { Schema } from './document.ts';

const formMark = Symbol('form');
const extraMark = Symbol('extra');
const nameMark = Symbol('name');
const hiddenMark = Symbol('hidden');

/** How a name travels through the generator of the document; it does not stay there. */
export const schemaName = 'x-schema-name';

interface Marked {
  readonly [formMark]?: Schema;
  readonly [extraMark]?: Schema;
  readonly [nameMark]?: string;
  readonly [hiddenMark]?: true;
}

/**
 * The document shows that form instead, for what a handler enforces or for values that travel as
 * text. The sentence and the examples of the schema stay.
 */
export const shownAs = <T extends TSchema>(schema: T, form: Schema): T =>
  Object.assign(schema, { [formMark]: form });

/** The document shows these keywords as well: a rule between fields that a handler enforces. */
export const shownWith = <T extends TSchema>(schema: T, extra: Schema): T =>
  Object.assign(schema, { [extraMark]: extra });

/** A shape that generated clients have a type for: `#/components/schemas/Player`. */
export const named = <T extends TSchema>(name: string, schema: T): T =>
  Object.assign(schema, { [nameMark]: name });

/** A field that is accepted and stays out of the document. */
export const hidden = <T extends TSchema>(schema: T): T =>
  Object.assign(schema, { [hiddenMark]: true as const });

type Node = Record<string, unknown> & Marked;

/** Values, not schemas. */
const isData = (key: string) => /^(?:const|enum|default|examples?|required)$/.test(key);

/** A copy of a route's schema as its document shows it; the route validates by the original. */
export function showSchema<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(showSchema) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  return showNode(schema as Node) as T;
}

function showNode(given: Node): Node {
  const { [formMark]: form, [extraMark]: extra, [nameMark]: name } = given;
  const { description, examples } = given;
  const node: Node = form
    ? {
        ...(description !== undefined && { description }),
        ...(examples !== undefined && { examples }),
        ...form,
      }
    : given;
  const parts = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (isData(key)) return [key, value];
    return [key, key === 'properties' ? showFields(value as object) : showSchema(value)];
  });
  const shown = { ...openRecord(joinEnums(Object.fromEntries(parts))), ...extra };
  return name === undefined ? shown : { ...shown, [schemaName]: name };
}

const showFields = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]: [string, Node]) => !field[hiddenMark])
      .map(([name, field]) => [name, showSchema(field)]),
  );

/** One list of values instead of alternatives of one value each, and always with its type. */
function joinEnums(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = node as { anyOf?: readonly Schema[] };
  const isValue = (each: Schema) =>
    Object.keys(each).every((key) => /^(?:type|const|enum)$/.test(key)) &&
    (each.const !== undefined || each.enum !== undefined);
  const values = anyOf?.every(isValue)
    ? anyOf.flatMap((each) => each.enum ?? [each.const])
    : (node.enum as readonly unknown[] | undefined);
  if (values === undefined) return node;
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  return {
    ...(anyOf ? rest : node),
    ...(types.size === 1 && { type }),
    enum: [...values],
  };
}

/** Few readers know `patternProperties`, and a pattern that takes every name says the same. */
function openRecord(node: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties = {}, ...rest } = node;
  const [[pattern, value] = [], ...more] = Object.entries(patternProperties as object);
  const isOpen = pattern === '^.*$' && more.length === 0;
  return isOpen ? { ...rest, additionalProperties: value } : node;
}
