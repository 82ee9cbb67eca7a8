// Named schemas: `nameSchemas` moves them to the components of the document, `inlineSchemas` moves them back.
import { mapValues, type OpenApiDocument, type Schema } from './document.ts';
import { schemaName } from './schema-marks.ts';

type Node = Readonly<Record<string, unknown>>;

const isExample = (key: string) => key === 'example' || key === 'examples';

/** Returns the named schemas, and the value with references in their place. */
export function nameSchemas<T>(value: T): { value: T; schemas: Record<string, Schema> } {
  const schemas = new Map<string, Schema>();
  const replace = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(replace);
    if (typeof each !== 'object' || each === null) return each;
    const { [schemaName]: name, ...rest } = each as Node;
    const replaced = mapValues(rest, (part, key) => (isExample(key) ? part : replace(part)));
    if (typeof name !== 'string') return replaced;
    const { description, ...shape } = replaced;
    keep(schemas, name, shape);
    const $ref = `#/components/schemas/${name}`;
    return description === undefined ? { $ref } : { $ref, description };
  };
  const named = replace(value) as T;
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return { value: named, schemas: Object.fromEntries(sorted) };
}

/**
 * Stores the first schema with a name. Throws if a later schema with this name differs in more than
 * descriptions.
 */
function keep(schemas: Map<string, Schema>, name: string, shape: Schema): void {
  const known = schemas.get(name);
  if (known === undefined) schemas.set(name, shape);
  else if (structureOf(known) !== structureOf(shape)) {
    throw new Error(`two different schemas are called ${name}`);
  }
}

const structureOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );

const prefix = '#/components/schemas/';

/** The error shape stays a named schema, because every error answer uses it. */
const kept = `${prefix}Error`;

export function inlineSchemas<T extends OpenApiDocument>(document: T): T {
  const schemas = document.components?.schemas ?? {};
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as Schema;
    const found = typeof $ref === 'string' && $ref !== kept && schemas[$ref.slice(prefix.length)];
    if (found) return { ...(inline(found) as object), ...beside };
    return mapValues(value as Node, inline);
  };
  return { ...document, paths: inline(document.paths) as T['paths'] };
}
