// The client's log returns each attempt as it was written.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClientLog, readHistory } from './client-log.ts';
import type { Order } from './order.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'counterfoil-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const order: Order = {
  packageId: 1,
  kind: 'credit',
  id: 'a',
  player: 'ann',
  amountMinor: 9_007_199_254_740_993n,
};
const acknowledged = { kind: 'acknowledged', balanceMinor: 12n, duplicate: false } as const;

it('the log groups attempts by order, and separates two orders that have the same id', async () => {
  const log = openClientLog(join(folder, 'one'));
  const first = log.sent(order);
  const second = log.sent(order);
  log.sent({ ...order, amountMinor: 1n });
  log.answered(second, { outcome: acknowledged, status: 200 });
  log.answered(first, { outcome: { kind: 'unknown', reason: 'lost' } });
  log.close();
  const { calls } = await readHistory(log.path);
  expect(calls.map((call) => call.order)).toEqual([order, { ...order, amountMinor: 1n }]);
  expect(calls[0]?.attempts.map(({ answer }) => answer?.outcome)).toEqual([
    { kind: 'unknown', reason: 'lost' },
    acknowledged,
  ]);
  expect(calls[1]?.attempts.map(({ answer }) => answer)).toEqual([undefined]);
});

it('the log contains the line of an attempt as soon as `sent` returns', async () => {
  const log = openClientLog(join(folder, 'two'));
  log.sent(order);
  expect((await readHistory(log.path)).calls).toHaveLength(1);
  log.close();
});

it('a log with an answer to an unknown attempt is refused', async () => {
  const log = openClientLog(join(folder, 'three'));
  log.answered(7, { outcome: acknowledged });
  log.close();
  await expect(readHistory(log.path)).rejects.toThrow('attempt 7');
});
