// Answers to requests that there is no room for: made of one error, and told to the log once a second.
import type { ServiceErrors, TransportErrorCode } from './errors.ts';
import type { Logger } from './logging.ts';
import { presentFailure } from './render-error.ts';

export interface Shed {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const everyMs = 1000;
const silent = { error: () => {}, warn: () => {} };

/** An error with its stack and a line for each would cost more than many a request that is served. */
export function createShedder(options: {
  errors: ServiceErrors<TransportErrorCode>;
  logger: Pick<Logger, 'warn'>;
  path: string;
  now?: () => number;
}): (requestId: string, extras: Record<string, unknown>) => Shed {
  const { errors, logger, path, now = () => performance.now() } = options;
  const error = errors.fail('overloaded');
  const ready = presentFailure(error, { errors, requestId: '', extras: {}, log: silent });
  let count = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (requestId, extras) => {
    count++;
    const time = now();
    if (time - saidAt >= everyMs) {
      logger.warn({ code: ready.code, path, count }, 'shed');
      count = 0;
      saidAt = time;
    }
    return {
      code: ready.code,
      status: ready.status,
      headers: {
        ...ready.headers,
        'x-request-id': requestId,
        'content-type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify({ ...error.toBody(requestId), ...extras }),
    };
  };
}
