// Refuses unknown fields, so that a misspelt field is not silently ignored.
import type { preValidationHookHandler, RouteOptions } from 'fastify';
import type { App } from './app.ts';
import type { FieldErrors } from './errors.ts';
import { mapValues, type Schema } from './openapi/document.ts';
import { shortenName } from './render-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the operation refuses unknown fields. */
    refusesUnknownFields?: boolean;
  }
}

interface Given {
  readonly below: readonly string[];
  readonly except?: readonly string[];
  /** Query parameters that every operation accepts. */
  readonly query?: readonly string[];
  fail(code: 'invalid_body' | 'invalid_parameter', details: { errors: FieldErrors }): Error;
}

/**
 * Refuses unknown fields in the bodies of routes whose URL begins with a prefix in `below` and is not in
 * `except`. Only routes that are registered later are affected. Operations that write also refuse unknown
 * query parameters. If an operation that writes has no body, it refuses every field, and JSON that is not an
 * object.
 */
export function refuseUnknownFields(app: App, given: Given): void {
  const { below, except = [] } = given;
  app.addHook('onRoute', (route) => {
    if (except.includes(route.url)) return;
    if (!below.some((prefix) => route.url.startsWith(prefix))) return;
    const body = route.schema?.body as Schema | undefined;
    route.config = { ...route.config, refusesUnknownFields: true };
    if (body) route.schema = { ...route.schema, body: closeObjects(body) };
    if (![route.method].flat().some(isWrite)) return;
    route.preValidation = [refuseOthers(route, given), ...[route.preValidation ?? []].flat()];
  });
}

const isWrite = (method: string) => !/^(?:GET|HEAD|OPTIONS)$/i.test(method);

function refuseOthers({ schema }: RouteOptions, { query = [], fail }: Given) {
  const { properties = {} } = (schema?.querystring ?? {}) as Schema;
  const known = new Set([...Object.keys(properties), ...query]);
  const takesBody = schema?.body !== undefined;
  const refuse: preValidationHookHandler = (request, _reply, done) => {
    if (!takesBody && isJsonButNoObject(request.body)) {
      return done(fail('invalid_body', { errors: { body: ['must be a JSON object.'] } }));
    }
    const unknown = [
      ...Object.keys(request.query as object).filter((name) => !known.has(name)),
      ...(takesBody ? [] : listFields(request.body)),
    ];
    if (unknown.length === 0) return done();
    done(fail('invalid_parameter', { errors: describeUnknownFields(unknown) }));
  };
  return refuse;
}

export const describeUnknownFields = (names: readonly string[]): FieldErrors =>
  Object.fromEntries(names.map((name) => [shortenName(name), ['is not a field of this request.']]));

/**
 * Whether the body is JSON but not an object. An absent body is undefined, and an uploaded file is a stream
 * or a buffer.
 */
const isJsonButNoObject = (body: unknown): boolean =>
  body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body));

/** Lists the fields of a body. An uploaded file has no fields. */
function listFields(body: unknown): string[] {
  const isRecord =
    typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
  return isRecord ? Object.keys(body) : [];
}

/**
 * Forbids fields that the schema does not list, in every object schema that does not set
 * `additionalProperties`.
 */
function closeObjects(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema;
  if (!properties && !items && !anyOf) return schema;
  return {
    ...schema,
    ...(properties && {
      additionalProperties: additionalProperties ?? false,
      properties: mapValues(properties, closeObjects),
    }),
    ...(items && { items: closeObjects(items) }),
    ...(anyOf && { anyOf: anyOf.map(closeObjects) }),
  };
}
