// Parses JSON bodies, which must be UTF-8 and may be empty if the route requires no body.
import { isAscii, isUtf8 } from 'node:buffer';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import type { App } from './app.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { describeUnknownFields } from './unknown-fields.ts';

type ParserDone = (error: Error | null, value?: unknown) => void;

/**
 * Refuses invalid UTF-8: all invalid bytes decode to the same character, so two different ids could become
 * equal.
 */
export function readJsonStrictly(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Some clients send a content type with every request, even if the request has no body.
    if (body.length === 0 && !needsBody(request)) done(null, undefined);
    else if (!isUtf8(body as Buffer)) done(errors.fail('invalid_body'));
    else parseText(request, body.toString('utf8'), done);
  });
  const parseText = (request: FastifyRequest, text: string, done: ParserDone) =>
    parse(request, text, (error, value) => {
      // The parser refuses the field `__proto__` with an error that does not name the field. Our error names
      // the field.
      if (!error || !request.routeOptions.config.refusesUnknownFields || !hasProto(text)) {
        return done(error, value);
      }
      done(errors.fail('invalid_parameter', { errors: describeUnknownFields(['__proto__']) }));
    });
}

function hasProto(text: string): boolean {
  try {
    return Object.hasOwn(Object(JSON.parse(text)), '__proto__');
  } catch {
    return false;
  }
}

const needsBody = ({ routeOptions: { schema, config } }: FastifyRequest) =>
  schema?.body !== undefined && !config.optionalBody;

export function fillOptionalBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.optionalBody) return;
    const fill: preValidationHookHandler = (request, _reply, done) => {
      request.body ??= {};
      done();
    };
    route.preValidation = [fill, ...[route.preValidation ?? []].flat()];
  });
}

const unusual = /[\\\x7f]|__proto__|constructor/;

/**
 * Reads a JSON object that consists of ASCII characters without backslashes. Returns undefined for any other
 * body, and for a body with `__proto__` or `constructor`; the router then reads the body. Without
 * backslashes, no string in the JSON contains a quote or a control character. Each string can therefore be
 * copied into an answer without escaping.
 */
export function readPlainObject(bytes: Buffer): Record<string, unknown> | undefined {
  if (!isAscii(bytes)) return undefined;
  const text = bytes.toString('latin1');
  if (unusual.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value is a text of 1 to `max` characters. */
export const isTextUpTo = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max;

/**
 * Matches the characters that JSON must escape. It also matches every surrogate, because a lone surrogate is
 * escaped.
 */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Returns the text as a JSON string, like `JSON.stringify` but faster for text without escapes. */
export const quoteText = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
