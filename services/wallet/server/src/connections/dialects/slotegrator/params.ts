// The parameters of a request, from a form or from JSON, and their encoding as in PHP's http_build_query.
import { isUtf8 } from 'node:buffer';
import type { ProviderRequest } from '../dialect.ts';

/** Values by their names in a form, for example `rollback_transactions[0][action]`. */
export type Params = ReadonlyMap<string, string | number | boolean>;

/**
 * The parameters are sorted before the signature is checked. Without this limit, an attacker could make the
 * wallet sort very many parameters. PHP has the same limit.
 */
const maxParams = 1000;
const maxDepth = 8;

export interface Body {
  readonly params: Params;
  /** Whether a number in JSON has an exponent, or more digits than `JSON.parse` reads exactly. */
  readonly hasInexactNumber: boolean;
}

/**
 * The body that was read last. A request is parsed directly after its signature is checked, so it is enough
 * to store one body.
 */
let latest: { readonly request: ProviderRequest; readonly body: Body | undefined } | undefined;

/**
 * Reads the body according to its content type; undefined if the body is neither a form nor a JSON object in
 * UTF-8.
 */
export function readBody(request: ProviderRequest): Body | undefined {
  if (latest?.request !== request) latest = { request, body: decodeBody(request) };
  return latest.body;
}

const strings = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const inexactNumber = /\d[eE]|\d[\d.]{16}|\d{16}/;

function decodeBody({ headers, body }: ProviderRequest): Body | undefined {
  // All invalid bytes decode to the same character, so two different ids could become equal. Therefore
  // invalid UTF-8 is refused.
  if (!isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  const isJson = headers['content-type']?.includes('json') ?? false;
  try {
    const params = isJson ? flatten(JSON.parse(text)) : readForm(text);
    return params && { params, hasInexactNumber: isJson && inexactNumber.test(text.replace(strings, '')) };
  } catch {
    return undefined;
  }
}

/** Reads a form; undefined if it has too many parameters. Throws if a percent escape is not UTF-8. */
function readForm(text: string): Params | undefined {
  const pairs = text.split('&');
  if (pairs.length > maxParams) return undefined;
  const params = new Map<string, string>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    // As in PHP, if a name is repeated, its last value is used.
    params.set(name, at < 0 ? '' : decode(pair.slice(at + 1)));
  }
  return params;
}

const escapes = /[%+]/;
const decode = (text: string): string =>
  escapes.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;

/**
 * Flattens an object to parameters. Returns undefined if the value is not an object, contains lone
 * surrogates, or has too many or too deeply nested parts.
 */
export function flatten(value: unknown): Params | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const params = new Map<string, string | number | boolean>();
  const add = (name: string, each: unknown, depth: number): boolean => {
    // As in PHP, null and empty arrays are left out of the signed text.
    if (each === null || each === undefined) return true;
    if (typeof each === 'object') {
      return (
        depth < maxDepth && Object.entries(each).every(([key, own]) => add(`${name}[${key}]`, own, depth + 1))
      );
    }
    if (!isWellFormed(name) || (typeof each === 'string' && !isWellFormed(each))) return false;
    params.set(name, each as string | number | boolean);
    return params.size <= maxParams;
  };
  return Object.entries(value).every(([name, each]) => add(name, each, 1)) ? params : undefined;
}

const surrogates = /\p{Surrogate}/u;
const isWellFormed = (text: string): boolean => !surrogates.test(text);

const unreserved = /^[\w.-]*$/;
const reservedInPhp = /%20|[!'()*~]/g;

/** Encodes a text as in RFC 1738: a space becomes a plus. */
export const encode = (text: string): string =>
  unreserved.test(text)
    ? text
    : encodeURIComponent(text).replace(reservedInPhp, (each) =>
        each === '%20' ? '+' : `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
      );

export const encodePair = (name: string, value: string | number | boolean): string =>
  `${encode(name)}=${encode(toText(value))}`;

function toText(value: string | number | boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Number.isSafeInteger(value) ? String(value) : toPhpFloat(value);
}

/**
 * Writes a number as PHP writes floats: with 14 significant digits, and very small or large numbers as
 * `1.0E-5`.
 */
function toPhpFloat(value: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(13).split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 14) return String(Number(value.toPrecision(14)));
  const digits = String(Number(mantissa));
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`;
}
