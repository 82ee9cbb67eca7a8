// For old plug-ins that read an answer only under HTTP 200: refusals come so, under keys that say it.
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from './api-key.ts';

/** The addresses of the specification; what came later was never called by an old plug-in. */
const specified: ReadonlySet<string | undefined> = new Set([
  '/api/account/details',
  '/api/items/all',
  '/api/items/item',
  '/api/purchases/validation',
]);

/**
 * The body stays as it is. A failure to come in time or at all is none of these: under a 200 a
 * plug-in would take it for a “no”.
 */
export const softenStatus = (key: Pick<ApiKey, 'legacyItem'>, status: number): number =>
  key.legacyItem && (status === 400 || status === 403 || status === 404) ? 200 : status;

export const softenRefusal = (request: FastifyRequest, status: number): number =>
  request.apiKey?.legacyItem && specified.has(request.routeOptions.url)
    ? softenStatus(request.apiKey, status)
    : status;
