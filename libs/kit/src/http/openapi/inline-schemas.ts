// A document with its named schemas put where they are referred to, for readers that follow no references.
import type { OpenApiDocument, Schema } from './document.ts';

const prefix = '#/components/schemas/';

/** The error shape stays a reference: every refusal has it. A name that is not there stays, too. */
const kept = `${prefix}Error`;

export function inlineSchemas<T extends OpenApiDocument>(document: T): T {
  const schemas = document.components?.schemas ?? {};
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as Schema;
    const found = typeof $ref === 'string' && $ref !== kept && schemas[$ref.slice(prefix.length)];
    if (found) return { ...(inline(found) as object), ...beside };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each)]));
  };
  return { ...document, paths: inline(document.paths) as T['paths'] };
}
