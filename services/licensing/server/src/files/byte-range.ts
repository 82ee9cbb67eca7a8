// The byte range that a request asks for (RFC 9110, section 14).
import type { FastifyRequest } from 'fastify';
import { fail } from '../errors.ts';

export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the range to send, or undefined if the whole file is to be sent. A range is ignored if `If-Range`
 * names another ETag. If the range is outside the file, throws a 416 error with the given `headers`.
 */
export function readRange(
  { headers: given }: Pick<FastifyRequest, 'headers'>,
  { etag, size }: { etag: string; size: number },
  headers: Record<string, string> = {},
): ByteRange | undefined {
  const condition = given['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const range = parseRange(given.range, size);
  if (range !== 'unsatisfiable') return range;
  throw fail('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}`, ...headers } });
}

/**
 * Parses the Range header. A header that is invalid or has several ranges is ignored, as RFC 9110 allows.
 * The result is then undefined, and the whole file is sent.
 */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return undefined;
  if (from === '') {
    const length = Number(to);
    return length === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
