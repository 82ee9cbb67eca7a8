// Sends the file of a purchase, whole or in part, and records the completed download.
import type { FileHandle } from 'node:fs/promises';
import type { App } from '@counterfoil/kit/http/app';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openFile } from '../files/stored-file.ts';
import type { VersionFile } from '../items/item-version.ts';
import { markDownloaded } from '../purchases/management/change-purchase.ts';
import type { PurchaseKey } from '../purchases/management/queries.ts';
import { readRange } from './byte-range.ts';

export interface SenderDeps {
  readonly db: Db;
  readonly now: () => Date;
  readonly filesDir: string;
  /** Called if a completed download could not be recorded in the database. */
  readonly onLost: (error: unknown) => void;
}

/** The file to send, and the purchase whose download is recorded. */
interface Download extends PurchaseKey {
  readonly version: string;
  readonly file: VersionFile;
}

/** A client that reads nothing for this time is disconnected. */
const stallMs = deadlineMs(60_000);

/** Makes the function that sends files. When the service stops, it waits until all downloads are recorded. */
export function createFileSender(app: App, deps: SenderDeps) {
  const pending = new Set<Promise<void>>();
  app.addHook('onClose', async () => void (await Promise.allSettled(pending)));
  return (request: FastifyRequest, reply: FastifyReply, download: Download) => {
    const onComplete = () => {
      const recorded = recordDownload(deps, download).finally(() => pending.delete(recorded));
      pending.add(recorded);
    };
    return sendFile(request, reply, { ...download, filesDir: deps.filesDir, onComplete });
  };
}

async function recordDownload(deps: SenderDeps, download: Download): Promise<void> {
  try {
    await markDownloaded(deps.db, download, deps.now());
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
