// Sends requests to the wallet that is certified. Every answer has a deadline and a maximum size.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { ProviderRequest } from '../connections/dialects/dialect.ts';

/**
 * Thrown if the wallet sends no complete answer, or an answer that is too large. The outcome of the request
 * is then unknown.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** The address that a redirect names. Redirects are not followed. */
  readonly location?: string | undefined;
}

export type SendRequest = (request: ProviderRequest) => Promise<RawAnswer>;

const defaultWithinMs = deadlineMs(10_000);
const maxAnswerBytes = 1024 * 1024;

/**
 * `url` is the address that the wallet's operator gives to the provider. A dialect appends its paths to this
 * address.
 */
export function createSender(url: string, answerWithinMs = defaultWithinMs): SendRequest {
  const start = url.replace(/\/+$/, '');
  return async ({ method, path, query, headers, body }) => {
    try {
      const answer = await fetch(`${start}${path}${query && `?${query}`}`, {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' && { body: new Uint8Array(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs),
      });
      const location = answer.headers.get('location') ?? undefined;
      return { status: answer.status, text: await readText(answer), location };
    } catch (error) {
      throw error instanceof NoAnswer ? error : new NoAnswer(describe(error, new URL(url), answerWithinMs));
    }
  };
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new NoAnswer(`an answer has more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Describes the reason why there is no answer, so that the user of the command can correct the address. */
function describe(error: unknown, { host, hostname, port }: URL, answerWithinMs: number): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown; message?: unknown } };
  if (name === 'TimeoutError') return `there was no answer within ${answerWithinMs / 1000} seconds`;
  if (cause === undefined) return 'a credential or the session has a character that no header may contain';
  if (cause.message === 'bad port') return `HTTP clients do not use port ${port}`;
  const code = String(cause.code ?? name);
  if (code === 'ECONNREFUSED') return `no program accepts connections at ${host} (${code})`;
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return `the host name ${hostname} cannot be resolved (${code})`;
  if (/CERT|SIGNATURE/.test(code)) return `the certificate of ${host} is not accepted (${code})`;
  if (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return `${host} does not accept TLS connections (${code})`;
  if (code.startsWith('HPE_')) return `${host} does not answer with HTTP (${code})`;
  return `the connection failed (${code})`;
}
