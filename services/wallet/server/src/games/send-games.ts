// Sends a list without copying it: many slow readers hold one and the same bytes.
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GamesAnswer } from './list-games.ts';

const headers = { 'cache-control': 'private, no-cache', vary: 'X-UID, X-API-KEY' };

/** The reply is taken out of the framework's hands, which would want one whole body. */
export function sendGames(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, etag }: GamesAnswer,
): FastifyReply {
  reply.headers({ ...headers, etag: `W/${etag}` });
  if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const all = [...pieces, Buffer.from(`${request.id}"}`)];
  const length = all.reduce((sum, piece) => sum + piece.length, 0);
  reply.type('application/json; charset=utf-8').header('content-length', length);
  const { raw } = reply.hijack();
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  if (request.method !== 'HEAD') {
    raw.cork();
    for (const piece of all) raw.write(piece);
    raw.uncork();
  }
  raw.end();
  return reply;
}
