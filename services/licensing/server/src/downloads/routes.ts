// GET /downloads/:token: sends the file of a purchase, whole or in part, to everybody who has the link.
import type { App } from '@counterfoil/kit/http/app';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { Type } from 'typebox';
import type { ManagementDeps } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { readDownloadToken } from './download-token.ts';
import { findGrantedFile } from './make-download-link.ts';
import { refusedPageHeaders, wantsPage, writeRefusedPage } from './refused-page.ts';
import { createFileSender, type SenderDeps } from './send-file.ts';

type Deps = ManagementDeps & SenderDeps;

const bytes = { 'application/octet-stream': { schema: {} } };
const answers = {
  200: { description: 'The whole file.', content: bytes },
  206: { description: 'The requested range.', content: bytes },
  304: Type.Null({ description: 'Not changed: the client has the version with this ETag.' }),
  404: {
    description: 'The link opens no file. A browser that accepts `text/html` gets a page.',
    content: { 'application/json': { schema: ErrorAnswer }, 'text/html': { schema: Type.String() } },
  },
  416: ErrorAnswer,
};

export function registerDownloadRoutes(app: App, deps: Deps): void {
  const sendFile = createFileSender(app, deps);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/downloads/:token',
    schema: {
      tags: ['Downloads'],
      summary: "Download a purchase's file by its link",
      description:
        'Accepts one byte range. ' +
        'A link that is forged, expired or of a purchase that is no longer active answers 404.',
      params: Type.Object({ token: Type.String() }),
      response: answers,
    },
    handler: async (request, reply) => {
      const { token } = request.params as { token: string };
      const now = deps.now();
      const found = await findGrantedFile(deps.db, deps.masterKey, { token, now });
      if (!found) {
        if (!wantsPage(request.headers.accept)) {
          throw fail('download_not_found', { headers: { vary: 'accept' } });
        }
        const isExpired = (readDownloadToken(deps.masterKey, token)?.expiresAt ?? now) < now;
        const page = writeRefusedPage(isExpired ? 'expired' : 'invalid');
        return reply.code(404).headers(refusedPageHeaders).send(page);
      }
      return sendFile(request, reply, { ...found.grant, ...found });
    },
  });
}
