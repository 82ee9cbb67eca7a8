// SIGTERM under load: every call in flight is answered, then the process exits with 0.
import { setTimeout as sleep } from 'node:timers/promises';
import { type History, readHistory } from '../../client/client-log.ts';
import { startLoad } from '../../client/load.ts';
import type { Service } from '../../environment/service.ts';
import { firstService, type TestEnvironment } from '../../environment/test-environment.ts';
import { type Fault, toResult } from '../../fault.ts';

/**
 * A call that was sent at least this long before the signal has certainly been read by the service, so the
 * call counts as in flight. A call that was sent later may still be unread. The service may then close the
 * connection of the unread call as idle, and the call is lost.
 */
const readWithinMs = 100;

/** Locks the ledger, so that calls are in flight, and then ends the service with SIGTERM. */
async function endWithCallsInFlight(
  environment: TestEnvironment,
  service: Service,
): Promise<{ askedAtMs: number; tookMs: number; code: number | null }> {
  const { ended, askedAtMs } = await environment.db.transaction(async (tx) => {
    await tx.query('select 1 from ledger_heads for update');
    await sleep(2 * readWithinMs);
    const now = performance.now();
    const ending = service.end('SIGTERM');
    await sleep(readWithinMs);
    // `ending` is wrapped in an object. If the callback returned the promise itself, the transaction would
    // wait for it.
    return { ended: { ending }, askedAtMs: now };
  });
  const code = await ended.ending;
  return { askedAtMs, tookMs: performance.now() - askedAtMs, code };
}

/** Counts the calls in flight when the signal was sent, and how many of them got no answer. */
export function countInFlight(
  { calls }: Pick<History, 'calls'>,
  momentsMs: readonly number[],
): { inFlight: number; lost: number } {
  const found = calls
    .flatMap(({ attempts }) => attempts)
    .filter(({ sentAtMs, answeredAtMs = Number.POSITIVE_INFINITY }) =>
      momentsMs.some((at) => sentAtMs <= at - readWithinMs && answeredAtMs > at),
    );
  // A call that got any answer, even a refusal, is not lost. A call without an answer has no status.
  const lost = found.filter(({ answer }) => answer?.status === undefined);
  return { inFlight: found.length, lost: lost.length };
}

export const sigtermUnderLoad: Fault = {
  name: 'sigterm-under-load',
  group: 'service',
  does: 'SIGTERM of the only process with calls in flight, and a restart each time',
  run: async (environment) => {
    const rounds = environment.size(20, 2);
    const service = firstService(environment);
    const testRun = await environment.openTestRun();
    const load = startLoad(testRun, environment.random);
    const moments: number[] = [];
    let uncleanExits = 0;
    let slowestMs = 0;
    for (let i = 0; i < rounds; i++) {
      await load.passes(environment.random.between(50, 300));
      const { askedAtMs, tookMs, code } = await endWithCallsInFlight(environment, service);
      if (code !== 0) uncleanExits++;
      slowestMs = Math.max(slowestMs, tookMs);
      moments.push(askedAtMs);
      await service.start();
    }
    await load.stop();
    const verdict = await testRun.finish();
    const { inFlight, lost } = countInFlight(await readHistory(testRun.log.path), moments);
    return toResult(
      [verdict],
      [
        { label: 'restarts', value: moments.length, atLeast: rounds },
        { label: 'exits with an error', value: uncleanExits, atMost: 0 },
        { label: 'calls in flight at SIGTERM', value: inFlight, atLeast: rounds },
        { label: 'calls in flight without an answer', value: lost, atMost: 0 },
        // This figure has no limit, because a request that arrives on a closing connection may get no answer.
        { label: 'outcomes left unknown by SIGTERM', value: verdict.tally.unknown },
        { label: 'slowest exit', value: Math.round(slowestMs), unit: 'ms', atMost: 10_000 },
      ],
    );
  },
};
