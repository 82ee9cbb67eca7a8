// Sends a callback: one attempt with a time-out and a size limit, or several while a player waits.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Faults } from '../faults/faults.ts';
import type { PackageRegistry, Registration } from '../packages/packages.ts';
import { type Callback, classifyAnswer, type Verdict } from './callback.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { openAnswer, sealCallback } from './security.ts';

const maxAnswerBytes = 64 * 1024;

export type SendCallback = (callback: Callback, attempt: number) => Promise<Verdict>;

export function createSender(deps: {
  packages: PackageRegistry;
  log: DeliveryLog;
  faults: Faults;
  attemptTimeoutMs: number;
  logger: Logger;
}): SendCallback {
  const send = async (callback: Callback, attempt: number): Promise<Verdict> => {
    const startedAtMs = Date.now();
    const registration = deps.packages.find(callback.uid);
    const verdict = registration
      ? await post(registration, callback, deps.attemptTimeoutMs)
      : ({ kind: 'unknown', status: null, reason: 'not registered' } as const);
    const isLost = verdict.kind !== 'unknown' && attempt <= deps.faults.read().lose_answers;
    const seen: Verdict = isLost
      ? { kind: 'unknown', status: null, reason: 'answer lost on demand' }
      : verdict;
    deps.log.add({ callback, attempt, verdict: seen, startedAtMs });
    if (seen.kind === 'refused' && callback.body.action !== 'bet') {
      const { action, transaction_id: transaction } = callback.body;
      const { code } = seen.answer;
      deps.logger.warn({ uid: callback.uid, action, transaction, code }, 'the wallet refused a callback');
    }
    return seen;
  };
  return async (callback, attempt) => {
    if (!deps.faults.read().duplicate_callbacks) return send(callback, attempt);
    const [first] = await Promise.all([send(callback, attempt), send(callback, attempt)]);
    return first;
  };
}

async function post(registration: Registration, callback: Callback, timeoutMs: number): Promise<Verdict> {
  try {
    const answer = await fetch(registration.callbackUrl, {
      ...sealCallback(registration, callback.body, Date.now()),
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = answer;
    const body = await readBounded(answer);
    if (body === undefined) return { kind: 'unknown', status, reason: 'answer too large' };
    const raw = { status, signature: answer.headers.get('x-signature'), body };
    const text = openAnswer(registration, raw, Date.now());
    if (text === undefined) return { kind: 'unknown', status, reason: 'answer not verified' };
    return classifyAnswer(status, text);
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError';
    return { kind: 'unknown', status: null, reason: isTimeout ? 'timeout' : 'unreachable' };
  }
}

async function readBounded(answer: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the download.
    if (size > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Sends the callback, and again after each of `waitsMs` while the outcome is unknown. `wasUnknown` says
 * whether an earlier attempt had an unknown outcome, so that the wallet may have applied it.
 */
export async function deliverCallback(send: SendCallback, callback: Callback, waitsMs: readonly number[]) {
  let wasUnknown = false;
  for (let attempt = 1; ; attempt++) {
    const verdict = await send(callback, attempt);
    const waitMs = waitsMs[attempt - 1];
    if (verdict.kind !== 'unknown' || waitMs === undefined) return { verdict, wasUnknown };
    wasUnknown = true;
    await sleep(waitMs);
  }
}
