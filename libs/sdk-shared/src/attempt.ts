// One attempt of a call: sent once, read within its time and size, and told apart from no answer.

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
  /** False only where it is certain that nothing reached the service. */
  readonly sent: boolean;
  /** The service said that it is done before the rest of its answer was lost. */
  readonly accepted?: boolean;
  readonly cause?: unknown;
}

export interface AttemptLimits {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** No connection was made, so nothing went over it. */
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
    // A key goes to the address that it was given for, and nowhere that address points to.
    redirect: 'manual',
    credentials: 'omit',
    ...(body !== undefined && { body }),
  });
  // What stands between us and the service does not know what its request ids look like.
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
