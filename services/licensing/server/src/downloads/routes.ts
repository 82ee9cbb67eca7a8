// GET /downloads/:token: sends the file of a purchase, whole or in part, to everybody who has the link.
import type { FileHandle } from 'node:fs/promises';
import type { App } from '@counterfoil/kit/http/app';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import { ErrorAnswer } from '@counterfoil/kit/http/openapi/openapi';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ManagementDeps } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { openFile } from '../files/stored-file.ts';
import type { VersionFile } from '../items/item-version.ts';
import { markDownloaded } from '../purchases/management/change-purchase.ts';
import { readRange } from './byte-range.ts';
import { type DownloadGrant, readDownloadToken } from './download-token.ts';
import { findGrantedFile } from './make-download-link.ts';
import { refusedPageHeaders, wantsPage, writeRefusedPage } from './refused-page.ts';

interface Deps extends ManagementDeps {
  readonly filesDir: string;
  /** Called if a completed download could not be recorded in the database. */
  readonly onLost: (error: unknown) => void;
}

/** A client that reads nothing for this time is disconnected. */
const stallMs = deadlineMs(60_000);

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
  const pending = new Set<Promise<void>>();
  app.addHook('onClose', async () => void (await Promise.allSettled(pending)));
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
      const onComplete = () => {
        const recorded = recordDownload(deps, found.grant).finally(() => pending.delete(recorded));
        pending.add(recorded);
      };
      return sendFile(request, reply, { ...found, filesDir: deps.filesDir, onComplete });
    },
  });
}

async function recordDownload(deps: Deps, grant: DownloadGrant): Promise<void> {
  try {
    await markDownloaded(deps.db, grant, deps.now());
  } catch (error) {
    deps.onLost(error);
  }
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  given: { file: VersionFile; filesDir: string; onComplete: () => void },
): Promise<FastifyReply> {
  const { file } = given;
  const size = Number(file.bytes);
  const etag = `"${file.sha256.toString('hex')}"`;
  reply.headers({ etag, 'accept-ranges': 'bytes', 'content-security-policy': 'sandbox' });
  if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const range = readRange(request, { etag, size });
  const { first, last } = range ?? { first: 0, last: size - 1 };
  reply.type('application/octet-stream').headers({
    'content-disposition': describeAttachment(file.name),
    'content-length': last - first + 1,
    ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
  });
  if (range) reply.code(206);
  if (request.method === 'HEAD') return reply.send();
  const handle = await openWhole(given.filesDir, file);
  // A download is complete if its last byte was sent and the answer was not aborted.
  if (last === size - 1) reply.raw.once('finish', given.onComplete);
  reply.raw.setTimeout(stallMs, () => reply.raw.destroy());
  return reply.send(handle.createReadStream({ start: first, end: last, highWaterMark: 256 * 1024 }));
}

/**
 * Opens the file. A file whose size differs from the recorded size is an internal error, and no part of it is
 * sent.
 */
async function openWhole(filesDir: string, file: VersionFile): Promise<FileHandle> {
  const handle = await openFile(filesDir, file.key);
  if (!handle) throw new Error(`the file ${file.key} is missing`);
  const { size } = await handle.stat();
  if (BigInt(size) === file.bytes) return handle;
  await handle.close();
  throw new Error(`the file ${file.key} has ${size} bytes instead of ${file.bytes}`);
}

/** The Content-Disposition header (RFC 6266): an ASCII name for old clients, and the exact file name. */
function describeAttachment(name: string): string {
  const safe = name.replace(/[\\/:*?"<>|]/g, '_');
  const plain = safe.replace(/[^\x20-\x7e]/g, '_').replace(/%/g, '_');
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
