// JSON bodies: strictly UTF-8, and left out where a route asks for none.
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import type { App } from './app.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';

/** Bytes that are no UTF-8 would all become one and the same character, and two ids one. */
export function readJsonStrictly(app: App, errors: ServiceErrors<TransportErrorCode>): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Who sends a content type with everything may send nothing where nothing is asked for.
    if (body.length === 0 && !needsBody(request)) done(null, undefined);
    else if (!isUtf8(body as Buffer)) done(errors.fail('invalid_body'));
    else parse(request, body.toString('utf8'), done);
  });
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
