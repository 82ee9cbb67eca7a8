// Sends a callback: makes one attempt with a time-out and a size limit, or several attempts while a player
// waits.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { ConnectionRegistry } from '../connections/connections.ts';
import type { Faults } from '../faults/faults.ts';
import type { PackageRegistry } from '../packages/packages.ts';
import { type Callback, classifyAnswer, type Verdict } from './callback.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { findClient } from './dialects/clients.ts';
import { openAnswer, sealCallback } from './security.ts';

const maxAnswerBytes = 64 * 1024;

export type SendCallback = (callback: Callback, attempt: number) => Promise<Verdict>;

interface Targets {
  readonly packages: PackageRegistry;
  readonly connections: ConnectionRegistry;
}

export function createSender(
  deps: Targets & {
    log: DeliveryLog;
    faults: Faults;
    attemptTimeoutMs: number;
    logger: Logger;
  },
): SendCallback {
  const send = async (callback: Callback, attempt: number): Promise<Verdict> => {
    const { delay_callbacks_ms: delayMs } = deps.faults.read();
    if (delayMs > 0) await sleep(delayMs);
    const startedAtMs = Date.now();
    const call = prepareCall(deps, callback, startedAtMs);
    const verdict = call
      ? await exchange(call, deps.attemptTimeoutMs)
      : ({ kind: 'unknown', status: null, reason: 'not registered' } as const);
    const protocol = call?.protocol ?? 'own';
    const isLost = verdict.kind !== 'unknown' && attempt <= deps.faults.read().lose_answers;
    const seen: Verdict = isLost
      ? { kind: 'unknown', status: null, reason: 'answer lost on demand' }
      : verdict;
    deps.log.add({ callback, protocol, attempt, verdict: seen, startedAtMs });
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

interface RawAnswer {
  readonly status: number;
  readonly signature: string | null;
  readonly body: string;
}

interface Call {
  readonly protocol: string;
  readonly url: string;
  readonly init: RequestInit;
  read(answer: RawAnswer): Verdict;
}

/** Prepares a call; undefined if the stand-in does not have the package or the connection. */
function prepareCall(targets: Targets, callback: Callback, nowMs: number): Call | undefined {
  if (callback.connection !== undefined) return prepareDialectCall(targets, callback, nowMs);
  const registration = targets.packages.find(callback.uid);
  if (!registration) return undefined;
  return {
    protocol: 'own',
    url: registration.callbackUrl,
    init: { method: 'POST', ...sealCallback(registration, callback.body, nowMs) },
    read: (answer) => {
      const text = openAnswer(registration, answer, Date.now());
      const { status } = answer;
      if (text === undefined) return { kind: 'unknown', status, reason: 'answer not verified' };
      return classifyAnswer(status, text);
    },
  };
}

function prepareDialectCall(targets: Targets, callback: Callback, nowMs: number): Call | undefined {
  const connection = targets.connections.find(callback.connection ?? '');
  if (connection?.uid !== callback.uid) return undefined;
  const client = findClient(connection);
  const { path, ...init } = client.write(connection, callback.body, { nowMs, nonce: randomUUID() });
  return {
    protocol: connection.dialect,
    url: connection.url + path,
    init,
    read: ({ status, body }) => client.read(status, body),
  };
}

async function exchange({ url, init, read }: Call, timeoutMs: number): Promise<Verdict> {
  try {
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status } = answer;
    const body = await readBounded(answer);
    if (body === undefined) return { kind: 'unknown', status, reason: 'answer too large' };
    return read({ status, signature: answer.headers.get('x-signature'), body });
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
    // The return leaves the loop, which cancels the download.
    if (size > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Sends the callback. While the outcome is unknown, waits for the next time in `waitsMs` and sends the
 * callback again, until all times are used. `wasUnknown` is true if an attempt before the last one had an
 * unknown outcome. The wallet may have applied that attempt.
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
