// Sends what rarely changes with a tag, so that a browser that has it is told so.
import { createHash } from 'node:crypto';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import type { FastifyReply, FastifyRequest } from 'fastify';

export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  content: { body: string; type: string; maxAgeSeconds: number },
): FastifyReply {
  const tag = `"${createHash('sha256').update(content.body).digest('base64url').slice(0, 22)}"`;
  reply.headers({ 'cache-control': `public, max-age=${content.maxAgeSeconds}`, etag: tag });
  if (isKnownEtag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(`${content.type}; charset=utf-8`).send(content.body);
}
