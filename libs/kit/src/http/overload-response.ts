// The 503 answer to requests for which a service has no capacity. It is rendered once and logged once per
// second.
import type { Logger } from '../observability/logging.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { presentFailure } from './render-error.ts';

/** A whole response, ready to be written. */
export interface ReadyResponse {
  readonly code: string;
  readonly status: number;
  /**
   * The headers as a flat list: each name is followed by its value. `content-length` is added when the
   * response is sent.
   */
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * Makes the answer to one request. `extras` are additional top-level fields, as JSON text without the braces.
 */
export type OverloadResponder = (requestId: string, extras: string) => ReadyResponse;

const logEveryMs = 1000;
const silent = { error: () => {}, warn: () => {} };
/** Marks the position of the request id in the prepared body. No request id is this long. */
const placeholder = 'x'.repeat(99);

/**
 * Prepares the answer once, because a stack trace and a log line per refused request would cost more than
 * many successful requests.
 */
export function createOverloadResponder(options: {
  errors: ServiceErrors<TransportErrorCode>;
  logger: Pick<Logger, 'warn'>;
  path: string;
  now?: () => number;
}): OverloadResponder {
  const { errors, logger, path, now = () => performance.now() } = options;
  const prepared = presentFailure(errors.fail('overloaded'), { errors, requestId: placeholder, log: silent });
  const { code, status } = prepared;
  const { 'x-request-id': _, ...constantHeaders } = prepared.headers;
  const headers = Object.entries(constantHeaders).flat();
  headers.push('content-type', 'application/json; charset=utf-8');
  const [before = '', after = ''] = prepared.body.slice(0, -1).split(placeholder);
  let count = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (requestId, extras) => {
    count++;
    const time = now();
    if (time - loggedAt >= logEveryMs) {
      logger.warn({ code, path, count }, 'requests rejected because of overload');
      count = 0;
      loggedAt = time;
    }
    return {
      code,
      status,
      headers: ['x-request-id', requestId, ...headers],
      body: `${before}${requestId}${after}${extras && `,${extras}`}}`,
    };
  };
}
