// Sends an answer that callers may keep: the whole of it, or 304 to who has it already.
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ItemsAnswer } from './list-items.ts';

/** Kept by the caller alone, and asked about every time; another key gets another answer. */
const headers = { 'cache-control': 'private, no-cache', vary: 'X-Api-Key, Authorization' };

export function sendWithEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: ItemsAnswer,
): FastifyReply {
  reply.headers({ ...headers, etag });
  if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(bytes);
}
