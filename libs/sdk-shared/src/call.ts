// A call with its retries: bounded, spread out, under one deadline, and always with the same id.
import { readAmounts } from './amount.ts';
import { type AttemptLimits, attempt, type Sent } from './attempt.ts';
import {
  type CallIds,
  CounterfoilError,
  type ErrorDetails,
  type Outcome,
} from './counterfoil-error.ts';
import { readAnswer } from './read-answer.ts';

/** For one call, or for all calls of a client. */
export interface CallLimits {
  /** For each attempt; 10 s by default. */
  readonly timeoutMs?: number;
  /** For all attempts and the waits between them; 30 s by default. */
  readonly deadlineMs?: number;
  /** 5 by default; 1 sends once. */
  readonly maxAttempts?: number;
}

export interface CallOptions extends CallLimits {
  /** Gives the call up; its error then says whether it may have been applied. */
  readonly signal?: AbortSignal;
}

export interface ClientOptions extends CallLimits {
  /** Where the service is, such as https://wallet.example.com. */
  readonly baseUrl: string;
  /** Instead of the run-time's own. */
  readonly fetch?: typeof fetch;
  /** The first wait before another attempt; 200 ms by default, twice as long each time. */
  readonly backoffMs?: number;
}

export interface Call extends CallIds {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer> | Blob;
  /** A question that travels as a POST: nothing is applied, whatever happens. */
  readonly isQuestion?: boolean;
  /** Whether the service takes a second copy for the first: then it is sent again when in doubt. */
  readonly repeatable: boolean;
}

const longestWaitMs = 5_000;
const maxAnswerBytes = 64 * 1024 * 1024;

export type Send = <Answer>(call: Call, options?: CallOptions) => Promise<Answer>;

/** `headers` carry the keys; they stay in here, and in no address, message or log. */
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
  const writes = call.method !== 'GET' && call.isQuestion !== true;
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

/** What is not there (yet) is an answer to a question; whoever asked decides whether to ask again. */
const isAnswer = ({ status }: ErrorDetails) => status === 404;

/**
 * An attempt in doubt stays in doubt through later refusals: they were about another copy. Only what
 * the service says about the id itself settles it: too little money, or another content (402, 409, 422).
 */
function settle(call: Call, failure: ErrorDetails, before: Outcome): ErrorDetails {
  const { status = 0, outcome } = failure;
  const isFinal = call.repeatable && [402, 409, 422].includes(status);
  if (before === 'applied') return { ...failure, outcome: 'applied' };
  const staysOpen = before === 'unknown' && outcome === 'not_applied' && !isFinal;
  return staysOpen ? { ...failure, outcome: 'unknown' } : failure;
}

/** Half of it by chance, so that clients that failed together do not come back together. */
function wait(client: ClientOptions, attempts: number, retryAfterMs = 0): number {
  const full = Math.min(longestWaitMs, (client.backoffMs ?? 200) * 2 ** (attempts - 1));
  return Math.max(retryAfterMs, full / 2) + (full / 2) * Math.random();
}

/** Ends early when the caller gives up: the next attempt then says so without being sent. */
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
