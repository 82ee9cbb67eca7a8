// Sends a request once and reads the response within the limits of time and size.

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | undefined;
}

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

export interface Lost {
  readonly kind: 'lost';
  readonly code: 'aborted' | 'answer_too_large' | 'network_error' | 'timeout';
  /** False if the request certainly did not reach the service. True in all other cases. */
  readonly sent: boolean;
  /** True if the service reported success before the rest of its response was lost. */
  readonly accepted?: boolean;
  readonly cause?: unknown;
}

export interface AttemptLimits {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The codes of errors that occur before a connection is established. After one of these errors, nothing was
 * sent.
 */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

export async function attempt(sent: Sent, limits: AttemptLimits): Promise<Answered | Lost> {
  const { signal } = limits;
  if (signal?.aborted) return { kind: 'lost', code: 'aborted', sent: false };
  const ending = new AbortController();
  let timedOut = false;
  const onAbort = () => ending.abort();
  const timer = setTimeout(() => {
    timedOut = true;
    ending.abort();
  }, limits.timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  const seen = { accepted: false };
  const lost = { kind: 'lost', sent: true } as const;
  try {
    return await exchange(sent, limits, { signal: ending.signal, seen });
  } catch (cause) {
    if (signal?.aborted) return { ...lost, ...seen, code: 'aborted' };
    if (timedOut) return { ...lost, ...seen, code: 'timeout' };
    if (seen.accepted) return { ...lost, ...seen, code: 'network_error', cause };
    const { code } = ((cause as Error).cause ?? {}) as { code?: string };
    return { ...lost, code: 'network_error', sent: !unsent.has(code ?? ''), cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

async function exchange(
  { url, method, headers, body }: Sent,
  { fetch, maxAnswerBytes }: AttemptLimits,
  { signal, seen }: { signal: AbortSignal; seen: { accepted: boolean } },
): Promise<Answered | Lost> {
  const response = await fetch(url, {
    method,
    headers,
    signal,
    // Redirects are not followed, so that the key is sent only to the configured address.
    redirect: 'manual',
    credentials: 'omit',
    ...(body !== undefined && { body }),
  });
  // Only the service sends request ids of this form. A proxy may answer instead of the service. Its answer
  // has no such id, and does not count as a success.
  seen.accepted = response.ok && /^req_/.test(response.headers.get('x-request-id') ?? '');
  const text = await readText(response, maxAnswerBytes);
  if (text === undefined) return { kind: 'lost', code: 'answer_too_large', sent: true, ...seen };
  const retryAfter = response.headers.get('retry-after');
  return { kind: 'answered', status: response.status, text, retryAfter };
}

async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
