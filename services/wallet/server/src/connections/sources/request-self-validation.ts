// Requests Slotegrator's self-validation: the provider tests the wallet and reports its findings.
import { randomBytes } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { createHttpSource } from '../../upstream/http-source.ts';
import { checkTransfer, readBody } from '../../upstream/read-answer.ts';
import { UpstreamFailure } from '../../upstream/upstream.ts';
import type { OpenConnection } from '../connection.ts';
import {
  buildSelfValidateRequest,
  parseSelfValidation,
  type SelfValidationAnswer,
} from '../dialects/slotegrator/outward.ts';

/**
 * During the self-validation, the provider calls the wallet many times before it answers. So this time limit
 * is longer than the limits of other requests to the provider.
 */
const defaultWithinMs = deadlineMs(120_000);
/**
 * The maximum size of the answer. The answer may be large, because it contains every request and response of
 * the test.
 */
const maxBytes = 1024 * 1024;

interface SelfValidationDeps {
  readonly now: () => Date;
  /** Resolves host names, and refuses names whose addresses are not public. */
  readonly lookup: LookupFunction;
  readonly answerWithinMs?: number;
}

export type SelfValidation = Extract<SelfValidationAnswer, { kind: 'validated' }>;

/**
 * Sends the request. `lookup` checks host names only. If the URL has an IP address, the caller must check it.
 * Throws `UpstreamFailure` if the provider cannot be reached or if its answer is unusable.
 */
export async function requestSelfValidation(
  deps: SelfValidationDeps,
  { upstreamUrl: url, secrets }: Pick<OpenConnection, 'secrets'> & { readonly upstreamUrl: string },
): Promise<SelfValidation> {
  const { now, lookup, answerWithinMs = defaultWithinMs } = deps;
  const { merchant_id: merchantId = '', merchant_key: merchantKey = '' } = secrets;
  const stamp = { timestamp: Math.floor(now().getTime() / 1000), nonce: randomBytes(16).toString('hex') };
  const request = buildSelfValidateRequest({ merchant: { merchantId, merchantKey }, stamp });
  const breaker = { failures: 1, restMs: 0 };
  const source = createHttpSource({
    ...{ name: 'self_validation', url, capacity: 1, breaker, now, lookup },
    onCall: () => {},
  });
  try {
    return await source.call(request, answerWithinMs, async (answer) => {
      checkTransfer(answer);
      const { bytes } = await readBody(answer, maxBytes);
      const parsed = parseSelfValidation(answer.statusCode, Buffer.from(bytes));
      if (parsed.kind === 'failed') throw new UpstreamFailure(parsed.reason);
      return parsed;
    });
  } finally {
    await source.close();
  }
}
