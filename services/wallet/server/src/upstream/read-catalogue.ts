// Parses a catalogue in a worker thread, so that requests do not wait while a large catalogue is parsed.
import { Worker } from 'node:worker_threads';
import {
  type CatalogueContent,
  type CatalogueEntry,
  type FailureReason,
  UpstreamFailure,
} from './upstream.ts';

/** The worker is plain JavaScript. Its relative path is the same from the sources and from the build. */
const program = new URL('../../workers/read-catalogue.mjs', import.meta.url);
const maxHeapMb = 512;

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

/**
 * Parses the bytes of a catalogue in a worker. The bytes are moved to the worker, so the caller must not use
 * them until they are returned with the content.
 */
export async function readCatalogue(
  body: Uint8Array<ArrayBuffer>,
  { signal, origin }: { signal?: AbortSignal; origin?: Origin } = {},
): Promise<{ body: Buffer; content: CatalogueContent }> {
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
      if (signal?.aborted) stop();
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
