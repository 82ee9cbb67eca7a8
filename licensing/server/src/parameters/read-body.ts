// Reads named parameters from a body, whichever of the contract's encodings it is in.
import { isUtf8 } from 'node:buffer';
import { type BodyReading, nothingFound } from './parameters.ts';
import { readJson } from './read-json.ts';
import { readMultipart } from './read-multipart.ts';

const blank = /^\s*$/;
/** What no form can start with: a brace or bracket there would have been escaped. */
const startsAsJson = /^\s*[{[]/;

const brace = 0x7b;
const dash = 0x2d;

/** A body that is JSON is read as JSON whatever its content type says; live callers rely on it. */
export function readBody(
  bytes: Buffer,
  contentType: string | undefined,
  names: readonly string[],
): BodyReading | Promise<BodyReading> {
  const type = bytes[0] === brace ? undefined : readType(contentType);
  if (type === 'multipart/form-data' && bytes[0] === dash) {
    return readMultipart(bytes, contentType ?? '', names);
  }
  if (!isUtf8(bytes)) return { refused: 'invalid_body' };
  if (bytes[0] === brace) return readJson(bytes.toString('utf8'), names);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (startsAsJson.test(text)) return readJson(text, names);
  if (blank.test(text)) return nothingFound;
  if (type === 'application/x-www-form-urlencoded') return readForm(text, names);
  if (
    type === undefined ||
    type.startsWith('multipart/') ||
    /^application\/(.*\+)?json$/.test(type)
  ) {
    return { refused: 'invalid_body' };
  }
  return { refused: 'unsupported_media_type' };
}

const readType = (contentType: string | undefined) =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase();

function readForm(text: string, names: readonly string[]): BodyReading {
  const given = new URLSearchParams(text);
  const found = new Map<string, unknown[]>();
  for (const name of names) {
    const values = given.getAll(name);
    if (values.length > 0) found.set(name, values);
  }
  return { found };
}
