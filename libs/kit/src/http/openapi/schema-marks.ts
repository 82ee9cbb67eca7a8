// Marks on the schemas of routes that affect only the document: the document shows a different form, names
// the schema, or hides it.
import type { TSchema } from 'typebox';
import type { Schema } from './document.ts';

const formMark = Symbol('form');
const extraMark = Symbol('extra');
const nameMark = Symbol('name');
const hiddenMark = Symbol('hidden');

/**
 * The keyword that contains the name of a schema while the document is generated. The keyword is not in the
 * finished document.
 */
export const schemaName = 'x-schema-name';

interface Marked {
  readonly [formMark]?: Schema;
  readonly [extraMark]?: Schema;
  readonly [nameMark]?: string;
  readonly [hiddenMark]?: true;
}

/**
 * Makes the document show `form` instead of the schema. Use this function if a handler enforces a rule that
 * the schema does not contain, or if a value is sent as text. The document still shows the description and
 * the examples of the schema.
 */
export const shownAs = <T extends TSchema>(schema: T, form: Schema): T =>
  Object.assign(schema, { [formMark]: form });

/**
 * Adds these keywords to the schema in the document. They describe a rule between fields that a handler
 * enforces.
 */
export const shownWith = <T extends TSchema>(schema: T, extra: Schema): T =>
  Object.assign(schema, { [extraMark]: extra });

/** Gives a schema a name. Generated clients have a type for it: `#/components/schemas/Player`. */
export const named = <T extends TSchema>(name: string, schema: T): T =>
  Object.assign(schema, { [nameMark]: name });

/** Marks a field that is accepted but not documented. */
export const hidden = <T extends TSchema>(schema: T): T =>
  Object.assign(schema, { [hiddenMark]: true as const });

type Node = Record<string, unknown> & Marked;

/** Whether the value of a keyword is data and not a schema. */
const isData = (key: string) => /^(?:const|enum|default|examples?|required)$/.test(key);

/** Returns a copy of a schema for the document. The route validates with the original. */
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

/**
 * If each member of a union allows only fixed values, replaces the union by an `enum` of these values. If all
 * values of an `enum` have one type, adds this type.
 */
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

/**
 * Replaces a `patternProperties` that accepts every name by `additionalProperties`, because few tools support
 * `patternProperties`.
 */
function openRecord(node: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties = {}, ...rest } = node;
  const [[pattern, value] = [], ...more] = Object.entries(patternProperties as object);
  const isOpen = pattern === '^.*$' && more.length === 0;
  return isOpen ? { ...rest, additionalProperties: value } : node;
}
