// Reads an answer of the upstream as a stream, up to a maximum size.

import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { UpstreamFailure } from './upstream.ts';

type Answer = Dispatcher.ResponseData;

interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: Buffer;
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Rejects an answer by its status and headers, before its body is read. */
export function checkHead(answer: Answer): void {
  const { statusCode, headers } = answer;
  if (statusCode === 401 || statusCode === 403) throw new UpstreamFailure('not_authorised');
  checkTransfer(answer);
  if (!jsonType.test(String(headers['content-type'] ?? ''))) throw new UpstreamFailure('not_json');
}

/** Rejects redirects, failures of the provider's server and compressed answers. */
export function checkTransfer({ statusCode, headers }: Answer): void {
  if (statusCode >= 300 && statusCode < 400) throw new UpstreamFailure('redirected');
  if (statusCode >= 500) throw new UpstreamFailure('wrong_status');
  // Compressed answers are refused: the request accepts no compression, and a small compressed body could
  // expand to any size.
  if (String(headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UpstreamFailure('wrong_shape');
  }
}

/** Reads the body into one growing buffer, so that many small chunks cost no more than a few large chunks. */
export async function readBody(answer: Answer, maxBytes: number): Promise<ReadBody> {
  const announced = Number(answer.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw new UpstreamFailure('too_large');
  let bytes = new Uint8Array(Math.max(announced, 4096));
  let length = 0;
  const hash = createHash('sha256');
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    const needed = length + chunk.length;
    if (needed > maxBytes) throw new UpstreamFailure('too_large');
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.min(Math.max(needed, bytes.length * 2), maxBytes));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length = needed;
    hash.update(chunk);
  }
  return { bytes: bytes.subarray(0, length), hash: hash.digest() };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a small JSON answer. Large answers must not be read this way, because this function parses on the
 * main thread.
 */
export async function readSmallJson(answer: Answer, maxBytes: number): Promise<unknown> {
  const { bytes } = await readBody(answer, maxBytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new UpstreamFailure('not_json');
  }
}

const maxLength = 2048;

/** An http(s) URL on one of the hosts, in its normal form; undefined for anything else. */
export function parseLaunchUrl(given: unknown, hosts: ReadonlySet<string>): string | undefined {
  if (typeof given !== 'string' || given.length > maxLength) return undefined;
  if (!/^https?:\/\/[!-~]+$/i.test(given) || given.includes('\\')) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.username !== '' || url.password !== '') return undefined;
  return hosts.has(url.hostname) || hosts.has(url.host) ? url.href : undefined;
}
