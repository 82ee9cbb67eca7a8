// Answers to requests that there is no room for: made of one error, and told to the log once a second.

import type { Logger } from '../observability/logging.ts';
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import { presentFailure } from './render-error.ts';

export interface Shed {
  readonly code: string;
  readonly status: number;
  /** Names and values in turn, all but the length. */
  readonly headers: readonly string[];
  readonly body: string;
}

const everyMs = 1000;
const silent = { error: () => {}, warn: () => {} };
/** Stands for the id of a request, which is never this long. */
const mark = 'x'.repeat(99);

/**
 * An error with its stack and a line for each would cost more than many a request that is served.
 * `extras` are more top-level fields, as JSON without its braces.
 */
export function createShedder(options: {
  errors: ServiceErrors<TransportErrorCode>;
  logger: Pick<Logger, 'warn'>;
  path: string;
  now?: () => number;
}): (requestId: string, extras: string) => Shed {
  const { errors, logger, path, now = () => performance.now() } = options;
  const ready = presentFailure(errors.fail('overloaded'), {
    ...{ errors, requestId: mark, extras: {}, log: silent },
  });
  const { code, status } = ready;
  const { 'x-request-id': _, ...same } = ready.headers;
  const headers = [
    ...Object.entries(same).flat(),
    ...['content-type', 'application/json; charset=utf-8'],
  ];
  const [before = '', after = ''] = ready.body.slice(0, -1).split(mark);
  let count = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (requestId, extras) => {
    count++;
    const time = now();
    if (time - saidAt >= everyMs) {
      logger.warn({ code, path, count }, 'shed');
      count = 0;
      saidAt = time;
    }
    return {
      code,
      status,
      headers: ['x-request-id', requestId, ...headers],
      body: `${before}${requestId}${after}${extras && `,${extras}`}}`,
    };
  };
}
