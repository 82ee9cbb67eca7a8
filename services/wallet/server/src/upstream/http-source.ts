// One source of a provider over HTTP. Each source has its own connections, deadline, circuit breaker and
// bulkhead.
import type { LookupFunction } from 'node:net';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import type { Dispatcher, Pool } from 'undici';
import { type CallReport, type SourceHealth, UpstreamFailure } from './upstream.ts';

export interface BreakerTerms {
  /** The number of failures in a row after which the breaker opens. */
  readonly failures: number;
  readonly restMs: number;
}

export interface HttpSourceOptions<Name extends string> {
  readonly name: Name;
  readonly url: string;
  /**
   * The maximum number of concurrent calls. Further calls fail at once, because waiting would use up their
   * deadline.
   */
  readonly capacity: number;
  readonly breaker: BreakerTerms;
  readonly now: () => Date;
  readonly onCall: (report: CallReport<Name>) => void;
  /** Resolves the host name and may refuse an address. By default, any address is allowed. */
  readonly lookup?: LookupFunction;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The path, relative to the URL of the source. */
  readonly path: string;
  readonly token?: string | undefined;
  /** Additional headers, which signed requests need. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. Bytes are sent unchanged, any other value is sent as JSON. */
  readonly body?: object;
}

export interface HttpSource<Name extends string = string> {
  /**
   * Sends a request and reads its answer. One deadline covers everything from the first byte sent to the last
   * byte read.
   */
  call<T>(
    request: HttpRequest | (() => HttpRequest),
    timeoutMs: number,
    read: (answer: Dispatcher.ResponseData, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  health(): SourceHealth<Name>;
  close(): Promise<void>;
}

export function createHttpSource<Name extends string>(options: HttpSourceOptions<Name>): HttpSource<Name> {
  const { name, now, onCall, lookup } = options;
  const url = new URL(options.url);
  let pool: Promise<Pool> | undefined;
  /** Loads undici at the first call, so that the start of the service does not wait for it. */
  const openPool = async (): Promise<Pool> => {
    const { Pool: OwnPool } = await import('undici');
    return new OwnPool(url.origin, {
      connections: options.capacity,
      pipelining: 1,
      connectTimeout: deadlineMs(10_000),
      ...(lookup && { connect: { lookup } }),
    });
  };
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(options.breaker.failures),
    halfOpenAfter: options.breaker.restMs,
  });
  const policy = wrap(bulkhead(options.capacity, 0), breaker);
  let last: Pick<SourceHealth, 'lastSuccessAt' | 'lastFailureAt' | 'lastFailure'> = {
    lastSuccessAt: undefined,
    lastFailureAt: undefined,
    lastFailure: undefined,
  };

  return {
    call: async (given, timeoutMs, read) => {
      try {
        // While one call probes the source, cockatiel would make all other calls wait for the result. Here
        // the other calls fail at once instead.
        if (breaker.state === CircuitState.HalfOpen) throw new UpstreamFailure('breaker_open');
        const deadline = timeout(timeoutMs, TimeoutStrategy.Aggressive);
        const result = await policy.execute(() =>
          deadline.execute(async ({ signal }) => {
            const request = typeof given === 'function' ? given() : given;
            pool ??= openPool();
            return send(await pool, { url, request, signal, timeoutMs }, read);
          }),
        );
        last = { ...last, lastSuccessAt: now() };
        onCall({ source: name, outcome: 'success' });
        return result;
      } catch (error) {
        const failure = toFailure(error);
        const { reason } = failure;
        // With `breaker_open` or `busy`, no request was sent. So the failure says nothing about the source.
        if (reason !== 'breaker_open' && reason !== 'busy') {
          last = { ...last, lastFailureAt: now(), lastFailure: reason };
        }
        onCall({ source: name, outcome: reason });
        throw failure;
      }
    },
    health: () => ({ source: name, breaker: presentState(breaker.state), ...last }),
    close: async () => (await pool)?.destroy(),
  };
}

async function send<T>(
  pool: Pool,
  sent: { url: URL; request: HttpRequest; signal: AbortSignal; timeoutMs: number },
  read: (answer: Dispatcher.ResponseData, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { request, signal, timeoutMs } = sent;
  const { token, body } = request;
  const answer = await pool.request({
    method: request.method,
    path: `${sent.url.pathname.replace(/\/$/, '')}${request.path}`,
    headers: {
      accept: 'application/json',
      'user-agent': 'counterfoil-wallet',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal,
  });
  try {
    return await read(answer, signal);
  } finally {
    // If the body was not read to its end, this discards the rest of the body and closes the connection.
    answer.body.on('error', () => {});
    answer.body.destroy();
  }
}

function toFailure(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (error instanceof BrokenCircuitError) return new UpstreamFailure('breaker_open');
  if (error instanceof BulkheadRejectedError) return new UpstreamFailure('busy');
  const { name, code } = error as { name?: string; code?: string };
  const isLate = error instanceof TaskCancelledError || name === 'AbortError' || /TIMEOUT/.test(code ?? '');
  return new UpstreamFailure(isLate ? 'timeout' : 'unreachable', { cause: error });
}

function presentState(state: CircuitState): SourceHealth['breaker'] {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half_open' : 'open';
}
