// Makes a call with retries, which are limited in number and time. The waits between attempts grow. All
// attempts send the same transaction id or idempotency key.
import { readAmounts } from './amount.ts';
import { type AttemptLimits, attempt, type Sent } from './attempt.ts';
import { type CallIds, CounterfoilError, type ErrorDetails, type Outcome } from './counterfoil-error.ts';
import { readAnswer } from './read-answer.ts';

/** The limits of a call. As options of the client, they apply to each of its calls. */
export interface CallLimits {
  /** The time limit of each attempt. The default is 10 s. */
  readonly timeoutMs?: number;
  /** The time limit of all attempts and the waits between them. The default is 30 s. */
  readonly deadlineMs?: number;
  /** The maximum number of attempts. The default is 5; with 1 there are no retries. */
  readonly maxAttempts?: number;
}

export interface CallOptions extends CallLimits {
  /** A signal that aborts the call. The error then says whether the call may have been applied. */
  readonly signal?: AbortSignal;
}

export interface ClientOptions extends CallLimits {
  /** The address of the service, such as https://wallet.example.com. */
  readonly baseUrl: string;
  /** A function that replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * The wait before the second attempt. The default is 200 ms. The wait doubles with each further attempt, up
   * to 5 s. A random part of up to half of the wait is left out.
   */
  readonly backoffMs?: number;
}

export interface Call extends CallIds {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer> | Blob;
  /** Whether the call only reads, although it is not a GET. */
  readonly isRead?: boolean;
  /**
   * Whether a repeated call is harmless: the call only reads, or its repeat leads to the same state, or the
   * service recognises the repeat. Such a call is retried even if its outcome is unknown.
   */
  readonly repeatable: boolean;
}

const longestWaitMs = 5_000;
const maxAnswerBytes = 64 * 1024 * 1024;

export type Send = <Answer>(call: Call, options?: CallOptions) => Promise<Answer>;

/**
 * Creates the function that sends calls. The API keys are sent only in `headers`. They never appear in a URL,
 * an error message or a log.
 */
export function createSend(
  client: ClientOptions,
  headers: Readonly<Record<string, string>>,
  amountFields: ReadonlySet<string>,
): Send {
  const origin = readAddress(client.baseUrl);
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} must be printable ASCII.`);
  }
  return async <Answer>(call: Call, options: CallOptions = {}) => {
    const sent = write(origin, call, headers);
    const answer = await sendUntilAnswered({ ...client, amountFields }, call, sent, options);
    return readAmounts(answer, amountFields) as Answer;
  };
}

interface Client extends ClientOptions {
  readonly amountFields: ReadonlySet<string>;
}

function readAddress(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}` === '';
  if (!isPlain) throw new TypeError('baseUrl must be an http(s) address without a key in it.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function write(origin: string, call: Call, keys: Readonly<Record<string, string>>): Sent {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query}`;
  const body = call.json === undefined ? call.bytes : JSON.stringify(call.json);
  const type = call.json === undefined ? 'application/octet-stream' : 'application/json';
  return {
    url: `${origin}${call.path}${search}`,
    method: call.method,
    headers: { ...(body !== undefined && { 'content-type': type }), ...call.headers, ...keys },
    body,
  };
}

async function sendUntilAnswered(
  client: Client,
  call: Call,
  sent: Sent,
  options: CallOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { signal } = options;
  const { timeoutMs = 10_000, deadlineMs = 30_000, maxAttempts = 5 } = { ...client, ...options };
  const until = performance.now() + deadlineMs;
  const fetcher = client.fetch ?? fetch;
  const writes = call.method !== 'GET' && call.isRead !== true;
  let before: Outcome = 'not_applied';
  for (let attempts = 1; ; attempts++) {
    const left = until - performance.now();
    const limits: AttemptLimits = {
      fetch: fetcher,
      timeoutMs: Math.max(1, Math.min(timeoutMs, left)),
      maxAnswerBytes,
      signal,
    };
    const { answer, failure } = readAnswer(await attempt(sent, limits), writes);
    if (answer) return answer;
    const details = settle(call, failure as ErrorDetails, before);
    before = details.outcome;
    const waitMs = wait(client, attempts, details.retryAfterMs);
    const isLast = attempts >= maxAttempts || performance.now() + waitMs >= until;
    const mayRepeat = details.retryable && (call.repeatable || before === 'not_applied');
    if (isLast || !mayRepeat || isAnswer(details)) {
      throw makeError(client, details, { ...call, attempts });
    }
    await sleep(waitMs, signal);
  }
}

function makeError(
  { amountFields }: Client,
  details: ErrorDetails,
  call: CallIds & { readonly attempts: number },
): CounterfoilError {
  const { data } = readAmounts({ data: details.data }, amountFields) as Pick<ErrorDetails, 'data'>;
  return new CounterfoilError({ ...details, data }, call);
}

/**
 * Whether the client reports this failure to its caller and does not retry the call. A 404 is such a
 * failure. The object may exist later, but the caller decides whether to ask again.
 */
const isAnswer = ({ status }: ErrorDetails) => status === 404;

/**
 * Decides the outcome of a call after several attempts. If the outcome of an earlier attempt is unknown, the
 * refusal of a later attempt does not settle the outcome of the call. The exception is a repeatable call that
 * is refused with 402, 409 or 422: the service has checked the id and the content of the call, so the refusal
 * is final.
 */
function settle(call: Call, failure: ErrorDetails, before: Outcome): ErrorDetails {
  const { status = 0, outcome } = failure;
  const isFinal = call.repeatable && [402, 409, 422].includes(status);
  if (before === 'applied') return { ...failure, outcome: 'applied' };
  const staysOpen = before === 'unknown' && outcome === 'not_applied' && !isFinal;
  return staysOpen ? { ...failure, outcome: 'unknown' } : failure;
}

/**
 * Returns the wait before the next attempt. Half of the wait is random, so that clients that failed at the
 * same time do not retry at the same time.
 */
function wait(client: ClientOptions, attempts: number, retryAfterMs = 0): number {
  const full = Math.min(longestWaitMs, (client.backoffMs ?? 200) * 2 ** (attempts - 1));
  return Math.max(retryAfterMs, full / 2) + (full / 2) * Math.random();
}

/** Waits. The wait ends early if the caller aborts; the next attempt then fails without being sent. */
const sleep = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
