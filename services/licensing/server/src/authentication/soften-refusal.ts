// Answers refusals with status 200 for keys of old plug-ins, which ignore answers with another status.
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from './api-key.ts';

/** The operations of the specification. Old plug-ins call only these operations. */
const specified: ReadonlySet<string | undefined> = new Set([
  '/api/account/details',
  '/api/items/all',
  '/api/items/item',
  '/api/purchases/validation',
]);

/**
 * Changes the status 400, 403 or 404 to 200; the body stays the same. Other failures, such as 429 and 503,
 * keep their status. With status 200, a plug-in would treat such a failure as “not valid”.
 */
export const softenStatus = (key: Pick<ApiKey, 'legacyItem'>, status: number): number =>
  key.legacyItem && (status === 400 || status === 403 || status === 404) ? 200 : status;

export const softenRefusal = (request: FastifyRequest, status: number): number =>
  request.apiKey?.legacyItem && specified.has(request.routeOptions.url)
    ? softenStatus(request.apiKey, status)
    : status;
