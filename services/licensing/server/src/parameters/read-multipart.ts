// Reads named text fields of a multipart form, and skips files.
import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { BodyReading } from './parameters.ts';

const limits = { fields: 200, parts: 200, files: 200, headerPairs: 50, fieldNameSize: 200 };

export function readMultipart(
  bytes: Buffer,
  contentType: string,
  names: readonly string[],
): Promise<BodyReading> {
  return new Promise((resolve) => {
    const refuse = () => resolve({ refused: 'invalid_body' });
    const found = new Map<string, unknown[]>();
    let parser: BusboyInstance;
    try {
      parser = new Busboy({ headers: { 'content-type': contentType }, limits });
    } catch {
      refuse();
      return;
    }
    parser.on('field', (name, value) => {
      if (!names.includes(name)) return;
      // Files may contain any bytes, but the value of a field must be UTF-8.
      if (value.includes('\ufffd') && !isUtf8(bytes)) refuse();
      else found.set(name, [...(found.get(name) ?? []), value]);
    });
    parser.on('file', (_name, file) => {
      file.on('error', refuse);
      file.resume();
    });
    for (const event of ['partsLimit', 'fieldsLimit', 'filesLimit', 'error'] as const) {
      parser.on(event, refuse);
    }
    parser.on('finish', () => resolve({ found }));
    parser.end(bytes);
  });
}
