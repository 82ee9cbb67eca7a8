// Accepts a body of any content type, and reads the parameters that the route names.
import type { App } from '@counterfoil/kit/http/app';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { fail } from '../errors.ts';
import { type BodyReading, nothingFound } from './parameters.ts';
import { readBody } from './read-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    bodyType: string | undefined;
  }
}

const noValues: readonly unknown[] = [];

/**
 * Registers the parser of bodies. The parser never fails, because authentication errors must come before
 * errors of the body.
 */
export function acceptAnyBody(app: App, names: readonly string[]): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const reading = readBody(bytes, request.bodyType, names);
    if (reading instanceof Promise) reading.then((read) => done(null, read), done);
    else done(null, reading);
  });
}

/** Hides the content type from Fastify, because Fastify refuses a content type for which it has no parser. */
export const hideContentType: onRequestHookHandler = (request, _reply, done) => {
  const { headers } = request.raw;
  request.bodyType = headers['content-type'];
  headers['content-type'] = undefined;
  done();
};

const readingOf = (request: FastifyRequest) => (request.body as BodyReading | undefined) ?? nothingFound;

/** Returns the values of a parameter in the body. The list is empty if the body could not be read. */
export function listBodyValues(request: FastifyRequest, name: string): readonly unknown[] {
  const reading = readingOf(request);
  return 'refused' in reading ? noValues : (reading.found.get(name) ?? noValues);
}

export function findBodyFault(request: FastifyRequest): Error | undefined {
  const reading = readingOf(request);
  return 'refused' in reading ? fail(reading.refused) : undefined;
}
