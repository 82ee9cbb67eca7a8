// Parses a catalogue in a worker thread: parsing 16 MiB of JSON on the main thread would delay money calls.
import { Buffer } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { parseRecords, writeRecords } from './parse-catalogue.mjs';

/**
 * Waits until the main thread confirms the last chunk, so that the main thread can do other work between two
 * chunks.
 */
const taken = () => new Promise((resolve) => parentPort.once('message', resolve));

const { body, origin } = workerData;
const records = parseRecords(Buffer.from(body.buffer, body.byteOffset, body.byteLength), origin);
if (typeof records === 'string') parentPort.postMessage({ failure: records });
else {
  const writing = writeRecords(records);
  let step = writing.next();
  for (; !step.done; step = writing.next()) {
    parentPort.postMessage({ entries: step.value });
    await taken();
  }
  parentPort.postMessage({ json: step.value, body }, [step.value.buffer, body.buffer]);
}
