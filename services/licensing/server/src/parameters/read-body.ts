// Reads named parameters from a body in any encoding that the specification allows.
import { isUtf8 } from 'node:buffer';
import { readJson } from './json-members.ts';
import { type BodyReading, nothingFound } from './parameters.ts';
import { readMultipart } from './read-multipart.ts';

const refused: BodyReading = { refused: 'invalid_body' };
const blank = /^\s*$/;
const startsAsJson = /^\s*[{[]/;

const brace = 0x7b;
const formType = 'application/x-www-form-urlencoded';

/**
 * Reads a body. A body that looks like JSON is read as JSON, even if its content type is another one,
 * because existing callers rely on this.
 */
export function readBody(
  bytes: Buffer,
  contentType: string | undefined,
  names: readonly string[],
): BodyReading | Promise<BodyReading> {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (bytes[0] === brace || startsAsJson.test(text)) {
    const reading = isUtf8(bytes) ? readJson(text, names) : refused;
    // A URL-encoded form may also begin with a brace or bracket. If the text is not valid JSON and its
    // content type is that of a form, it is read as a form.
    const isForm = 'refused' in reading && text.includes('=') && readType(contentType) === formType;
    return isForm ? readForm(text, names) : reading;
  }
  if (blank.test(text)) return nothingFound;
  const type = readType(contentType);
  if (type === 'multipart/form-data') return readMultipart(bytes, contentType ?? '', names);
  if (!isUtf8(bytes)) return refused;
  if (type === formType) return readForm(text, names);
  if (type === undefined || type.startsWith('multipart/') || /^application\/(.*\+)?json$/.test(type)) {
    return refused;
  }
  return { refused: 'unsupported_media_type' };
}

const readType = (contentType: string | undefined) => contentType?.split(';', 1)[0]?.trim().toLowerCase();

/**
 * Whether a text contains U+FFFD. Decoding replaces invalid UTF-8 by U+FFFD, so two different codes could
 * become equal.
 */
const isMangled = (value: string) => value.includes('\ufffd');

function isDecodable(form: string): boolean {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
}

function readForm(text: string, names: readonly string[]): BodyReading {
  const given = new URLSearchParams(text);
  const found = new Map<string, unknown[]>();
  for (const name of names) {
    const values = given.getAll(name);
    if (values.some(isMangled) && !isDecodable(text)) return refused;
    if (values.length > 0) found.set(name, values);
  }
  return { found };
}
