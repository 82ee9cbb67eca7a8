// Checks the bearer token, and sends answers that a browser may cache.
import { createHash } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { fail } from './errors.ts';

const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();

export function requireBearer(token: string): onRequestHookHandler {
  const wanted = digest(`Bearer ${token}`);
  return (request, _reply, done) => {
    const given = digest(request.headers.authorization ?? '');
    if (equalsInConstantTime(given, wanted)) done();
    else done(fail('auth_invalid', { headers: { 'www-authenticate': 'Bearer' } }));
  };
}

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
