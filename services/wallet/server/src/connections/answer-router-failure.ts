// Answers requests to a connection if the request failed before it reached the connection's dialect. The
// request then has a bad method, URL, header or body, or the wallet failed. The provider gets an error in the
// form of its dialect.
import type { AnswerFailure, FailedRequest } from '@counterfoil/kit/http/answer-failure';
import { fail } from '../errors.ts';
import { type ProviderDeps, toReady } from './answer-provider.ts';
import { callCodes } from './calls/call-line.ts';
import { isProviderUrl, splitUrl } from './connection.ts';
import type { EarlyFailure, ProviderRequest } from './dialects/dialect.ts';
import type { ConnectionFinder, FoundConnection } from './find-connection.ts';

interface Deps extends Pick<ProviderDeps, 'dialects' | 'calls'> {
  readonly connections: ConnectionFinder;
}

/**
 * The failures after which the provider should send the request again. All other codes mean that the request
 * itself is wrong.
 */
const retryable: Readonly<Partial<Record<string, EarlyFailure>>> = {
  overloaded: 'overloaded',
  internal_error: 'internal_error',
  unavailable: 'internal_error',
  outcome_unknown: 'internal_error',
  request_timeout: 'internal_error',
};

const toEarlyFailure = (code: string): EarlyFailure =>
  retryable[code] ?? (code === 'body_too_large' ? 'too_large' : 'malformed');

export const answerRouterFailure =
  (deps: Deps): AnswerFailure =>
  (failed) => {
    if (!isProviderUrl(failed.url)) return undefined;
    const { id } = splitUrl(failed.url);
    const cached = deps.connections.peek(id);
    if (cached) return presentFailed(deps, cached, failed);
    if (failed.isLate) {
      const last = deps.connections.findLast(id);
      return last && presentFailed(deps, last, failed);
    }
    return findAndPresent(deps, id, failed);
  };

/**
 * Finds the connection and presents the failure in its dialect. If the connection is unknown, the answer is
 * the same for every id and for every fault of the request.
 */
async function findAndPresent(deps: Deps, id: string, failed: FailedRequest) {
  try {
    const found = await deps.connections.find(id);
    return found ? presentFailed(deps, found, failed) : findOwnAnswer(failed);
  } catch {
    // The database does not respond. If the connection was found earlier, its dialect is used.
    const last = deps.connections.findLast(id);
    return last && presentFailed(deps, last, { ...failed, code: 'unavailable' });
  }
}

const findOwnAnswer = ({ code }: FailedRequest) => (retryable[code] ? undefined : fail('route_not_found'));

function presentFailed({ dialects, calls }: Deps, found: FoundConnection, failed: FailedRequest) {
  const { method, url, headers, requestId, address } = failed;
  const failure = toEarlyFailure(failed.code);
  const code = callCodes.find((each) => each === failed.code) ?? failure;
  const { path, query } = splitUrl(url);
  const request: ProviderRequest = { method, path, query, headers, body: Buffer.alloc(0) };
  const response = dialects[found.connection.dialect].presentEarly(failure, request);
  const { status } = response;
  calls.add({ found, request, requestId, address, status, code, call: undefined, result: undefined });
  return toReady(response, { code, requestId });
}
