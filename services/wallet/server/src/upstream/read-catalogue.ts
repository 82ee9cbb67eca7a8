// Parses a catalogue. A large catalogue is parsed in a worker thread, so that requests do not wait meanwhile.
import { Worker } from 'node:worker_threads';
import { parseRecords, writeRecords } from '../../workers/parse-catalogue.mjs';
import {
  type CatalogueContent,
  type CatalogueEntry,
  type FailureReason,
  UpstreamFailure,
} from './upstream.ts';

/** The worker is plain JavaScript. Its relative path is the same from the sources and from the build. */
const program = new URL('../../workers/read-catalogue.mjs', import.meta.url);
const maxHeapMb = 512;

/**
 * Up to this size, the main thread parses the catalogue itself, which takes about 4 ms. A worker thread would
 * take about 80 ms of CPU time, most of it to start the worker.
 */
export const maxDirectBytes = 64 * 1024;

interface Message {
  readonly failure?: FailureReason;
  readonly entries?: CatalogueEntry[];
  readonly json?: Uint8Array;
  readonly body?: Uint8Array;
}

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The connection that the games come from. */
export interface Origin {
  /** The prefix of the game ids. */
  readonly prefix: string;
  /** The value of the field `source` of the games. */
  readonly source: string;
}

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly origin?: Origin;
}

interface ReadResult {
  readonly body: Buffer;
  readonly content: CatalogueContent;
}

/**
 * Parses the bytes of a catalogue. The bytes may be moved to a worker. So the caller must not use the bytes
 * until they are returned with the content.
 */
export async function readCatalogue(
  body: Uint8Array<ArrayBuffer>,
  options: ReadOptions = {},
): Promise<ReadResult> {
  if (options.signal?.aborted) throw new UpstreamFailure('timeout');
  return body.length <= maxDirectBytes ? readDirectly(body, options) : readInWorker(body, options);
}

function readDirectly(body: Uint8Array<ArrayBuffer>, { origin }: ReadOptions): ReadResult {
  const bytes = toBuffer(body);
  const records = parseRecords(bytes, origin);
  if (typeof records === 'string') throw new UpstreamFailure(records);
  const entries: CatalogueEntry[] = [];
  const writing = writeRecords(records);
  let step = writing.next();
  for (; !step.done; step = writing.next()) entries.push(...step.value);
  return { body: bytes, content: { json: toBuffer(step.value), entries } };
}

async function readInWorker(
  body: Uint8Array<ArrayBuffer>,
  { signal, origin }: ReadOptions,
): Promise<ReadResult> {
  const worker = new Worker(program, {
    workerData: { body, origin },
    transferList: [body.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const entries: CatalogueEntry[] = [];
  try {
    return await new Promise((resolve, reject) => {
      const stop = () => reject(new UpstreamFailure('timeout'));
      signal?.addEventListener('abort', stop, { once: true });
      worker.once('error', (cause) => reject(new UpstreamFailure('wrong_shape', { cause })));
      worker.once('exit', () => reject(new UpstreamFailure('wrong_shape')));
      worker.on('message', (message: Message) => {
        if (message.failure) reject(new UpstreamFailure(message.failure));
        entries.push(...(message.entries ?? []));
        worker.postMessage('taken');
        if (message.json && message.body) {
          const content = { json: toBuffer(message.json), entries };
          resolve({ body: toBuffer(message.body), content });
        }
      });
    });
  } finally {
    await worker.terminate();
  }
}
