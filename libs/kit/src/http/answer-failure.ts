// Lets a service answer failed requests to some of its paths in a different format than its own errors.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from './errors.ts';
import type { ReadyResponse } from './overload-response.ts';

/** A request that failed in the HTTP parser, the router or its handler. The body may be unread. */
export interface FailedRequest {
  readonly method: string;
  /** The path and the query as they were sent. They may be cut off or contain invalid escapes. */
  readonly url: string;
  /** The headers; empty if the parser refused them. */
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  readonly address: string;
  /** The code of the failure in the error table of the service. */
  readonly code: string;
  /** True if the deadline of the request has passed, so that no time is left for a query. */
  readonly isLate: boolean;
}

/**
 * The answer that replaces the service's own answer: a complete response, or a different error of the
 * service. Undefined means that the service sends its own answer.
 */
type FailureAnswer = ReadyResponse | ServiceError | undefined;

/**
 * May replace the service's own answer to a failed request. The function is called for every failed request
 * whose URL is known, except on a fast path. If it does not replace the answer, it must return undefined
 * quickly.
 */
export type AnswerFailure = (failed: FailedRequest) => FailureAnswer | Promise<FailureAnswer>;

export const describeFailed = (
  { method, url, headers, id: requestId, ip: address }: FastifyRequest,
  failure: { readonly code: string; readonly isLate: boolean },
): FailedRequest => ({ method, url, headers, requestId, address, ...failure });

/** The part of a request that is known although the HTTP parser refused the request. */
export type KnownPart = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

const origin = /^https?:\/\/[^/?#]*(?=[/?#])/i;

/**
 * Returns the path of a URL that may be absolute. An absolute URL is legal HTTP, and it names the same route
 * as its path.
 */
export const stripOrigin = (url: string): string => url.replace(origin, '');
