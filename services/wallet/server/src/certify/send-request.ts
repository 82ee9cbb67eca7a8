// Sends requests to the wallet that is certified. Every answer has a deadline and a maximum size.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { ProviderRequest } from '../connections/dialects/dialect.ts';

/** Thrown if the wallet sends no answer. The outcome of the request is then unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export type SendRequest = (request: ProviderRequest) => Promise<{ status: number; text: string }>;

const answerWithinMs = deadlineMs(10_000);
const maxAnswerBytes = 1024 * 1024;

/**
 * `url` is the address that the wallet's operator gives to the provider. A dialect appends its paths to this
 * address.
 */
export function createSender(url: string): SendRequest {
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
      return { status: answer.status, text: await readText(answer) };
    } catch (error) {
      throw error instanceof NoAnswer ? error : new NoAnswer(describe(error));
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

function describe(error: unknown): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return `there was no answer within ${answerWithinMs / 1000} seconds`;
  return `the connection failed (${String(cause?.code ?? name)})`;
}
