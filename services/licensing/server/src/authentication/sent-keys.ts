// Every key that a request carries, from wherever the contract lets it travel.
import type { FastifyRequest } from 'fastify';
import { listQueryValues } from '../parameters/parameters.ts';

/** What is sent in the key's place but is no text: it differs from every key. */
const noText = '\u0000';

export const conflict = Symbol('two different keys');

/** One key however often it was sent; undefined where none was. An empty one counts as none. */
export function unite(values: readonly unknown[]): string | typeof conflict | undefined {
  let key: string | undefined;
  for (const value of values) {
    if (value === undefined || value === null) continue;
    // Pasted into a plug-in's settings, a key often brings blanks along; none has any of its own.
    const text = typeof value === 'string' ? value.trim() : noText;
    if (text === '') continue;
    if (key !== undefined && key !== text) return conflict;
    key = text;
  }
  return key;
}

/** In the query or a header: what is known before any body. */
export function collectEarlyKeys({ raw, query, headers }: FastifyRequest): readonly unknown[] {
  const inQuery = listQueryValues(query, 'api_key');
  const own = headers['x-api-key'];
  // Node joins the texts of a repeated header, and of Authorization it keeps the first alone.
  if (headers.authorization !== undefined || own?.includes(',')) {
    return [...inQuery, ...listHeaderKeys(raw.rawHeaders)];
  }
  return inQuery.length === 0 ? [own] : [...inQuery, own];
}

const bearer = /^bearer +(.*)$/i;

/** Names and values in turn, as they came over the wire. */
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
