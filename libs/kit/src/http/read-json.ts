// JSON bodies: strictly UTF-8, and left out where a route asks for none.
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import type { App } from './app.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { describeUnknownFields } from './unknown-fields.ts';

type ParserDone = (error: Error | null, value?: unknown) => void;

/** Bytes that are no UTF-8 would all become one and the same character, and two ids one. */
export function readJsonStrictly(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Who sends a content type with everything may send nothing where nothing is asked for.
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
