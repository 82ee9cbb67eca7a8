// Decodes a request as it was sent, and decides whether the OpenAPI document allows it.
import { findRequestFault, readText } from '@counterfoil/kit/testing/openapi/documented-verdict';
import type { Operation, Schema } from './operations.ts';
import type { Sent } from './send.ts';

/** `unclear` means that the document does not define whether the request is allowed. */
export type Verdict =
  | { readonly is: 'allowed' }
  | { readonly is: 'forbidden'; readonly why: string }
  | { readonly is: 'unclear' };

const allowed: Verdict = { is: 'allowed' };
const unclear: Verdict = { is: 'unclear' };
const forbid = (why: string): Verdict => ({ is: 'forbidden', why });

/**
 * Headers of the transport. A service may refuse a request because of them even if the document allows it.
 */
const transportHeaders = ['content-encoding', 'expect', 'range', 'if-none-match', 'origin'];

export function meetsDocument(operation: Operation, sent: Sent): Verdict {
  if (transportHeaders.some((name) => name in sent.headers)) return unclear;
  const [path = '', query = ''] = sent.url.split('?');
  if (/%00|%EF%BF%BD/i.test(sent.url)) return unclear;
  const pairs = [...new URLSearchParams(query)];
  const names = pairs.map(([name]) => name);
  if (new Set(names).size < names.length) return unclear;
  // OpenAPI does not define whether undocumented parameters are ignored or refused.
  const queried = operation.parameters.filter((each) => each.in === 'query');
  if (names.some((name) => !queried.some((each) => each.name === name))) return unclear;
  const values = {
    path: readPath(operation.path, path),
    query: Object.fromEntries(pairs),
    header: sent.headers,
  };
  const fault = findRequestFault(operation, { ...values, body: undefined });
  return fault === undefined ? meetsBody(operation, sent) : forbid(fault);
}

function readPath(template: string, path: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const form = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]*)');
  const values = new RegExp(`^${form}$`).exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')]));
}

function meetsBody({ requestBody, method }: Operation, { headers, body }: Sent): Verdict {
  if (!requestBody || method === 'GET' || method === 'HEAD') return body?.length ? unclear : allowed;
  const type = headers['content-type'] ?? '';
  const schema = requestBody.content?.[type]?.schema;
  if (!schema || !body) return unclear;
  const value = readBody(type, body, schema);
  if (value === undefined) return unclear;
  const fault = findRequestFault({ requestBody }, { query: {}, header: {}, body: value, mediaType: type });
  return fault === undefined ? allowed : forbid(fault);
}

/** Decodes a body. Returns undefined if the bytes cannot be decoded as this content type. */
function readBody(type: string, body: Buffer, schema: Schema): unknown {
  const text = body.toString();
  if (text.includes('\ufffd')) return undefined;
  if (type === 'application/json') {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const pairs = [...new URLSearchParams(text)];
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) return undefined;
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, readText(value, schema.properties?.[name] ?? {})]),
  );
}
