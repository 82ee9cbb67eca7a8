// Moves shapes that have a name among the document's components, and leaves references in their places.
import type { Schema } from './document.ts';
import { schemaName } from './schema-marks.ts';

type Node = Readonly<Record<string, unknown>>;

const isExample = (key: string) => key === 'example' || key === 'examples';

/** The schemas by name, and the same value with references to them. */
export function nameSchemas<T>(value: T): { value: T; schemas: Record<string, Schema> } {
  const schemas = new Map<string, Schema>();
  const replace = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(replace);
    if (typeof each !== 'object' || each === null) return each;
    const { [schemaName]: name, ...rest } = each as Node;
    const replaced = Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [key, isExample(key) ? part : replace(part)]),
    );
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

/** The sentences are those of the first place; what is not a sentence must be the same in all. */
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
