// Sends a stored file, whole or in part (RFC 9110, section 14).
import type { FileHandle } from 'node:fs/promises';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readRange } from './byte-range.ts';
import { openFile, type StoredFile } from './stored-file.ts';

type SentFile = Pick<StoredFile, 'key' | 'bytes' | 'sha256'>;

interface Sending {
  readonly filesDir: string;
  readonly file: SentFile;
  readonly type: string;
  /** Headers of answers with content. Errors are sent without them. */
  readonly headers: Record<string, string>;
  /** Headers that an answer without content (304) has too. */
  readonly cacheHeaders?: Record<string, string>;
  /** Called when an answer that contains the last byte was sent completely. */
  readonly onComplete?: () => void;
}

/** A client that reads nothing for this time is disconnected. */
const stallMs = deadlineMs(60_000);

export async function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  sending: Sending,
): Promise<FastifyReply> {
  const { file, filesDir, cacheHeaders = {} } = sending;
  const size = Number(file.bytes);
  const etag = `"${file.sha256.toString('hex')}"`;
  // The policy stops a browser that opens the file directly from running anything in it.
  reply.headers({ etag, 'accept-ranges': 'bytes', 'content-security-policy': 'sandbox' });
  if (isKnownEtag(request.headers['if-none-match'], etag))
    return reply.headers(cacheHeaders).code(304).send();
  const range = readRange(request, { etag, size });
  const { first, last } = range ?? { first: 0, last: size - 1 };
  // The file is opened before the headers are set: an error must not get the headers of the file.
  const handle = request.method === 'HEAD' ? undefined : await openWhole(filesDir, file);
  reply.type(sending.type).headers({
    ...cacheHeaders,
    ...sending.headers,
    'content-length': String(last - first + 1),
    ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
  });
  if (range) reply.code(206);
  if (!handle) return reply.send();
  // The answer is complete if its last byte was sent and it was not aborted.
  if (last === size - 1 && sending.onComplete) reply.raw.once('finish', sending.onComplete);
  reply.raw.setTimeout(stallMs, () => reply.raw.destroy());
  return reply.send(handle.createReadStream({ start: first, end: last, highWaterMark: 256 * 1024 }));
}

/**
 * Opens the file. A file whose size differs from the recorded size is an internal error, and no part of it is
 * sent.
 */
async function openWhole(filesDir: string, file: SentFile): Promise<FileHandle> {
  const handle = await openFile(filesDir, file.key);
  if (!handle) throw new Error(`the file ${file.key} is missing`);
  const { size } = await handle.stat();
  if (BigInt(size) === file.bytes) return handle;
  await handle.close();
  throw new Error(`the file ${file.key} has ${size} bytes instead of ${file.bytes}`);
}
