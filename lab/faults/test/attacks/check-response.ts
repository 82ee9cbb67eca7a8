// Checks an answer against the OpenAPI document: the document lists its status, and its body matches the
// schema.
import { listAnsweredCodes } from '@counterfoil/kit/testing/openapi/reference-gaps';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from './operations.ts';
import type { Answer } from './send.ts';

/**
 * Statuses of requests that are refused before they reach their operation. The document lists them as
 * `default`.
 */
const transport = new Set([400, 404, 405, 408, 413, 414, 415, 417, 429, 431]);

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
const compiled = new WeakMap<object, ValidateFunction>();

function compile(schema: object): ValidateFunction {
  const found = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, found);
  return found;
}

function findDocumented(operation: Operation, status: number) {
  const { responses } = operation;
  return (
    responses[String(status)] ??
    responses[`${String(status)[0]}XX`] ??
    (transport.has(status) ? responses.default : undefined)
  );
}

/** Describes each difference between the answer and the document. */
export function checkResponse(operation: Operation, method: string, answer: Answer): string[] {
  const { status, text } = answer;
  if (status >= 500) return [`answered ${status}`];
  // A request with another method does not reach this operation. Only the format of its refusal is checked.
  const isSame = method === operation.method;
  const documented = findDocumented(operation, status);
  if (isSame && !documented) return [`answered ${status}, which the document does not list`];
  if (method === 'HEAD' || status === 304) return text === '' ? [] : ['has a body'];
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (status >= 400) {
    const { default: common = {} } = operation.responses;
    // Some routes answer a browser with an HTML page instead of JSON. The document lists this form.
    if (isSame && type === 'text/html' && documented?.content?.[type]) return [];
    const listed = [documented ?? {}, common].flatMap(listAnsweredCodes);
    return checkRefusal(answer, type, isSame ? listed : undefined);
  }
  if (!isSame) return [];
  const schemas = documented?.content;
  if (!schemas) return [`answered with ${type || 'no content type'}, but the document lists no content`];
  const schema = schemas[type]?.schema;
  if (!(type in schemas)) return [`answered with ${type}, which the document does not list`];
  if (type !== 'application/json' || !schema) return [];
  return checkBody(schema, text);
}

function checkBody(schema: object, text: string): string[] {
  const validate = compile(schema);
  if (validate(JSON.parse(text))) return [];
  const [first] = validate.errors ?? [];
  return [`the body breaks its schema at ${first?.instancePath}: ${first?.message}`];
}

/** `listed` contains the documented error codes. It is undefined if the request reached another operation. */
function checkRefusal(
  { status, headers, text }: Answer,
  type: string,
  listed: readonly string[] | undefined,
): string[] {
  if (type !== 'application/json') return [`refused with ${type || 'no content type'} instead of JSON`];
  const body = JSON.parse(text) as Record<string, unknown>;
  const problems: string[] = [];
  const hasShape =
    body.status === 'error' &&
    /^[a-z_]+$/.test(String(body.code)) &&
    typeof body.msg === 'string' &&
    typeof body.retryable === 'boolean';
  if (!hasShape) problems.push(`refused in an undocumented shape: ${text.slice(0, 120)}`);
  if (listed && !listed.includes(String(body.code))) {
    problems.push(`answered ${body.code}, which the document does not list: errors-by-operation.ts`);
  }
  if (headers['x-request-id'] !== body.request_id) problems.push('X-Request-Id differs from request_id');
  if (String(body.code).startsWith('api_key_') && status === 401 && !headers['www-authenticate']) {
    problems.push('401 without WWW-Authenticate');
  }
  if (/\bat .*\.(?:ts|js):\d+|node_modules|select .* from |SQLSTATE/i.test(text)) {
    problems.push(`reveals internals: ${text.slice(0, 200)}`);
  }
  return problems;
}
