// GET /demo-media/:seller/:name: the pictures, sounds and films of the demo, a fixed list of files.
import type { App } from '@counterfoil/kit/http/app';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { readRange } from '../files/byte-range.ts';
import { type DemoFile, demoMediaRoot, listDemoMedia } from './list-demo-media.ts';

/**
 * A browser that opens an SVG directly treats it as a document. This policy stops the document from loading
 * or running anything.
 */
const policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

const content = Object.fromEntries(
  ['image/svg+xml', 'audio/wav', 'video/mp4'].map((type) => [type, { schema: {} }]),
);
const answers = {
  200: { description: 'The whole file.', content },
  206: { description: 'The requested range.', content },
  304: Type.Null({ description: 'Not changed: the client has the version with this ETag.' }),
  404: ErrorAnswer,
  416: ErrorAnswer,
};

export function registerDemoMedia(app: App): void {
  const files = listDemoMedia();
  app.route({
    method: 'GET',
    url: `${demoMediaRoot}/:seller/:name`,
    schema: {
      // The API reference does not show this route, because only the demo has it.
      hide: true,
      summary: "The demo's pictures, sounds and films",
      description: 'A fixed list of files, served only by `npm start`. Accepts one byte range.',
      params: Type.Object({ seller: Type.String(), name: Type.String() }),
      response: answers,
    },
    handler: async (request, reply) => {
      const { seller, name } = request.params;
      const file = files.get(`${seller}/${name}`);
      if (!file) throw fail('route_not_found');
      return sendDemoFile(file, request, reply as unknown as FastifyReply);
    },
  });
}

/** Sends a file, whole or in part. Media players request parts of a file to seek. */
function sendDemoFile(file: DemoFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { bytes, etag, type } = file;
  reply.headers({
    etag,
    'cache-control': 'public, max-age=3600',
    'accept-ranges': 'bytes',
    'content-security-policy': policy,
    // Any page may show the media of real sellers. So any page may show the media of the demo too.
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const noStore = { 'cache-control': 'no-store' };
  const range = readRange(request, { etag, size: bytes.length }, noStore);
  reply.type(type);
  if (!range) return reply.send(bytes);
  const { first, last } = range;
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${bytes.length}`)
    .send(bytes.subarray(first, last + 1));
}
