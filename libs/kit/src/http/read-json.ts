// JSON bodies: strictly UTF-8, and absent where a route takes none.
import { isAscii, isUtf8 } from 'node:buffer';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import type { App } from './app.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { describeUnknownFields } from './unknown-fields.ts';

type ParserDone = (error: Error | null, value?: unknown) => void;

/** Invalid UTF-8 is refused: all invalid bytes would decode to one character, and two ids to one. */
export function readJsonStrictly(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Some clients send a content type with every request, also without a body.
    if (body.length === 0 && !needsBody(request)) done(null, undefined);
    else if (!isUtf8(body as Buffer)) done(errors.fail('invalid_body'));
    else parseText(request, body.toString('utf8'), done);
  });
  const parseText = (request: FastifyRequest, text: string, done: ParserDone) =>
    parse(request, text, (error, value) => {
      // The parser refuses `__proto__` without its name, because it could replace the prototype.
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
 * Reads an object of plain ASCII without escapes. Undefined for any other body, which the router reads.
 * Without a backslash no string contains a quote or a control character, so strings can be copied into
 * an answer unchanged.
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

/** At least one character. */
export const isTextUpTo = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max;

/** Control characters, quotes, backslashes and surrogates. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** The text as a JSON string, like `JSON.stringify` but faster for text without escapes. */
export const quoteText = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
