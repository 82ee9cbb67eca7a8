// Makes one attempt: a signed POST to a checked address, within ten seconds.

import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { Agent } from 'undici';
import { type AddressGuard, RefusedAddressError } from './address-guard.ts';

const timeoutMs = deadlineMs(10_000);
const maxAnswerBytes = 16_384;

export interface AttemptResult {
  /**
   * `refused` means that nothing was sent, because the URL is not allowed or its address is not public.
   * Undefined means that the attempt was aborted and its outcome is unknown.
   */
  readonly outcome: 'delivered' | 'failed' | 'refused' | undefined;
  readonly status: number | undefined;
  readonly durationMs: number;
  readonly error: string | undefined;
  readonly retryAfterMs: number | undefined;
}

interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal | undefined;
}

export type AttemptSender = ReturnType<typeof createSender>;

export function createSender(guard: AddressGuard) {
  let agent: Promise<Agent> | undefined;
  /** Loads undici with the first attempt, because it is large and would delay the start of the service. */
  const openAgent = async (): Promise<Agent> => {
    const { Agent: OwnAgent } = await import('undici');
    return new OwnAgent({
      connect: { lookup: guard.lookup, timeout: timeoutMs },
      // The IP address was checked when the socket was opened, so the socket may be reused without another
      // check.
      keepAliveTimeout: 4_000,
      connections: 16,
      pipelining: 1,
      maxHeaderSize: maxAnswerBytes,
    });
  };
  return {
    send: async (request: AttemptRequest): Promise<AttemptResult> => {
      const began = performance.now();
      const done = (result: Partial<AttemptResult>): AttemptResult => ({
        outcome: 'failed',
        status: undefined,
        error: undefined,
        retryAfterMs: undefined,
        durationMs: Math.round(performance.now() - began),
        ...result,
      });
      const refusal = guard.refuse(request.url);
      if (refusal !== undefined) return done({ outcome: 'refused', error: 'address_refused' });
      try {
        agent ??= openAgent();
        return done(await post(await agent, request));
      } catch (error) {
        if (request.signal?.aborted) return done({ outcome: undefined });
        return done(explain(error));
      }
    },
    close: async (): Promise<void> => (await agent)?.destroy(),
  };
}

async function post(agent: Agent, request: AttemptRequest): Promise<Partial<AttemptResult>> {
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit;
  const url = new URL(request.url);
  // Redirects are not followed, because their targets are not checked.
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'counterfoil-webhooks/1',
      ...request.headers,
    },
    body: request.body,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal,
  });
  const { statusCode: status, headers } = answer;
  // The body of the answer is not used. A short body is read, so that the connection can be reused.
  answer.body.on('error', () => {});
  await answer.body.dump({ limit: maxAnswerBytes, signal }).catch(() => {});
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  const error = status >= 300 && status < 400 ? 'redirected' : 'wrong_status';
  return { status, error, retryAfterMs: readRetryAfter(headers['retry-after']) };
}

function readRetryAfter(given: string | string[] | undefined): number | undefined {
  const text = String(given ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/**
 * Replaces an error by a code from a fixed list. The text of the error could reveal facts about a private
 * network.
 */
function explain(error: unknown): Partial<AttemptResult> {
  const causes = [error, (error as { cause?: unknown } | undefined)?.cause];
  if (causes.some((each) => each instanceof RefusedAddressError)) {
    return { outcome: 'refused', error: 'address_refused' };
  }
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return { error: 'timeout' };
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return { error: 'name_not_found' };
  if (/CERT|SSL|TLS|ALTNAME/.test(code)) return { error: 'tls_failed' };
  return { error: 'connection_failed' };
}
