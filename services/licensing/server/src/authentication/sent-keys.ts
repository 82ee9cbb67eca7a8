// Collects the keys of a request from its query and headers.
import type { FastifyRequest } from 'fastify';
import { listQueryValues } from '../parameters/parameters.ts';

/** Replaces a value that is not a text. No key is equal to this replacement. */
const noText = '\u0000';

export const conflict = Symbol('two different keys');

/** Returns the key if all sent keys are equal, or undefined if none was sent. Ignores empty keys. */
export function unite(values: readonly unknown[]): string | typeof conflict | undefined {
  let key: string | undefined;
  for (const value of values) {
    if (value === undefined || value === null) continue;
    // Keys contain no blanks, but pasted keys often have blanks around them, which are removed.
    const text = typeof value === 'string' ? value.trim() : noText;
    if (text === '') continue;
    if (key !== undefined && key !== text) return conflict;
    key = text;
  }
  return key;
}

/** Collects the keys in the query and the headers, which are available before the body is read. */
export function collectEarlyKeys({ raw, query, headers }: FastifyRequest): readonly unknown[] {
  const inQuery = listQueryValues(query, 'api_key');
  const own = headers['x-api-key'];
  // Node joins the values of a repeated `X-Api-Key` header with commas, but keeps only the first
  // Authorization header. The raw headers contain every value.
  if (headers.authorization !== undefined || own?.includes(',')) {
    return [...inQuery, ...listHeaderKeys(raw.rawHeaders)];
  }
  return inQuery.length === 0 ? [own] : [...inQuery, own];
}

const bearer = /^bearer +(.*)$/i;

/** Returns the keys in the headers. `rawHeaders` contains names and values in alternation. */
function listHeaderKeys(rawHeaders: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] ?? '';
    const name = rawHeaders[at]?.toLowerCase();
    if (name === 'x-api-key') found.push(value);
    else if (name === 'authorization') found.push(bearer.exec(value)?.[1] ?? '');
  }
  return found;
}
