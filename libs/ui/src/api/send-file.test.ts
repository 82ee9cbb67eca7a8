// An upload that the service refuses is a problem with the code, the messages and the waiting time.
import { afterEach, expect, it, vi } from 'vitest';
import { ApiProblem, describeProblem } from './problem.ts';
import { sendFile } from './send-file.ts';

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Replaces the browser's XMLHttpRequest, which answers every upload with this refusal. */
function answerWith({ status, text, retryAfter }: Refusal): void {
  class Refusing {
    readonly status = status;
    readonly responseText = text;
    readonly upload = {};
    onload = () => {};
    open() {}
    setRequestHeader() {}
    getResponseHeader(name: string) {
      return name === 'retry-after' ? retryAfter : null;
    }
    send() {
      this.onload();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Refusing);
}
afterEach(() => void vi.unstubAllGlobals());

async function upload(refusal: Refusal): Promise<ApiProblem> {
  answerWith(refusal);
  const sent = sendFile('/file', { method: 'PUT', file: new File(['a'], 'a.zip'), type: 'application/zip' });
  return await sent.then(
    () => expect.fail('the upload was not refused'),
    (error) => error as ApiProblem,
  );
}

it.each([429, 503])('the problem of an upload that gets a %s contains the waiting time', async (status) => {
  const text = JSON.stringify({ code: 'rate_limited', msg: 'Too many requests', request_id: 'req_1' });
  const problem = await upload({ status, text, retryAfter: '59' });
  expect(problem).toBeInstanceOf(ApiProblem);
  expect(problem).toMatchObject({ status, code: 'rate_limited', requestId: 'req_1', retryAfterSeconds: 59 });
  expect(describeProblem(problem)).toBe('Too many attempts. Try again in 59 seconds.');
});

it('an error page of a proxy without Retry-After gives a problem without a waiting time', async () => {
  const problem = await upload({ status: 502, text: '<h1>Bad gateway</h1>', retryAfter: null });
  expect(problem).toMatchObject({ status: 502, code: 'unknown', retryAfterSeconds: undefined });
});
