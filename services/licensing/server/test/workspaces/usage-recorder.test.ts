// The usage recorder has a bounded buffer, writes in the background, and writes all usage at shutdown.

import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { DatabaseUnavailableError, type Db } from '@counterfoil/kit/postgres/db';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { expect, it } from 'vitest';
import { createUsageRecorder } from '../../src/usage/record-usage.ts';
import type { RequestEvent } from '../../src/usage/usage-sink.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();

function openRecorder(wanted: { db?: Db; maxEntries?: number; requestLogDays?: number } = {}) {
  const { logger, lines } = captureLog();
  const registry = createMetrics('test');
  const recorder = createUsageRecorder({
    db: given.db,
    logger,
    registry,
    now: () => given.clock.now,
    requestLogDays: 30,
    flushEveryMs: 3_600_000,
    ...wanted,
  });
  const dropped = async () => {
    const text = await registry.getSingleMetricAsString('usage_dropped_total');
    return Number(/^usage_dropped_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  return { recorder, lines, dropped };
}

const request = (workspaceId: bigint, wanted: Partial<RequestEvent> = {}): RequestEvent => ({
  workspaceId,
  apiKeyId: 1n,
  address: '192.0.2.1',
  at: given.clock.now,
  method: 'GET',
  route: '/api/items/all',
  status: 200,
  code: undefined,
  durationMs: 1,
  requestId: 'req_x',
  itemId: undefined,
  codeHint: undefined,
  pageOrigin: undefined,
  ...wanted,
});

const countLines = async (workspaceId: bigint) => {
  const { rows } = await given.db.query<{ count: bigint }>(
    'select count(*) from request_log where workspace_id = $1',
    [workspaceId],
  );
  return Number(rows[0]?.count);
};

it('a full buffer drops and counts new entries, and accepts entries again after a flush', async () => {
  const { recorder, dropped } = openRecorder({ maxEntries: 101 });
  const workspaceId = await given.workspace();
  for (let i = 0; i < 1000; i++) recorder.sink.onRequest(request(workspaceId));
  expect(await dropped()).toBe(900);
  await recorder.flush();
  expect(await countLines(workspaceId)).toBe(100);
  recorder.sink.onRequest(request(workspaceId));
  await recorder.close();
  expect(await countLines(workspaceId)).toBe(101);
});

it('a repeated refused code uses no buffer space; without a request log, no code is stored', async () => {
  const workspaceId = await given.workspace();
  const store = async (requestLogDays: number) => {
    const { recorder, dropped } = openRecorder({ maxEntries: 2, requestLogDays });
    for (const codeHint of ['…aaaa', '…bbbb', '…cccc', '…aaaa', '…bb\u0000b']) {
      recorder.sink.onRefusedCode({ workspaceId, address: '192.0.2.1', at: given.clock.now, codeHint });
    }
    const count = await dropped();
    await recorder.close();
    const { rows } = await given.db.query<{ code_hint: string; failures: bigint }>(
      'select code_hint, failures from refused_codes where workspace_id = $1 order by code_hint',
      [workspaceId],
    );
    return { dropped: count, rows: rows.map((row) => [row.code_hint, Number(row.failures)]) };
  };
  expect(await store(0)).toEqual({ dropped: 0, rows: [] });
  const once = {
    dropped: 2,
    rows: [
      ['…aaaa', 2],
      ['…bbbb', 1],
    ],
  };
  expect(await store(30)).toEqual(once);
  const twice = {
    dropped: 2,
    rows: [
      ['…aaaa', 4],
      ['…bbbb', 2],
    ],
  };
  expect(await store(30)).toEqual(twice);
});

it('closing the recorder writes the buffered usage of every workspace', async () => {
  const { recorder } = openRecorder();
  const workspaces = [await given.workspace(), await given.workspace()];
  for (const workspaceId of workspaces) recorder.sink.onRequest(request(workspaceId));
  await recorder.close();
  for (const workspaceId of workspaces) expect(await countLines(workspaceId)).toBe(1);
});

it('recorded usage is kept while the database is unavailable, and is written once afterwards', async () => {
  let isAway = true;
  const db: Db = {
    ...given.db,
    transaction: (work) => {
      if (isAway) return Promise.reject(new DatabaseUnavailableError('away'));
      return given.db.transaction(work);
    },
  };
  const { recorder, lines, dropped } = openRecorder({ db });
  const workspaceId = await given.workspace();
  recorder.sink.onRequest(request(workspaceId));
  await recorder.flush();
  recorder.sink.onRequest(request(workspaceId));
  await recorder.flush();
  expect(lines.join('')).toContain('usage waits for the database');
  isAway = false;
  await recorder.flush();
  await recorder.close();
  expect(await countLines(workspaceId)).toBe(2);
  expect(await dropped()).toBe(0);
});

it('usage that the database refuses is dropped and reported, and all other usage is written', async () => {
  const { recorder, lines, dropped } = openRecorder();
  const good = await given.workspace();
  recorder.sink.onRequest(request(await given.workspace(), { status: 100_000 }));
  recorder.sink.onRequest(request(good));
  await recorder.close();
  expect(await countLines(good)).toBe(1);
  expect(await dropped()).toBe(2);
  expect(lines.join('')).toContain('usage could not be written');
});

it('a retention of 0 days turns the request log off; key uses are still recorded', async () => {
  const { recorder } = openRecorder({ requestLogDays: 0 });
  const workspaceId = await given.workspace();
  recorder.sink.onRequest(request(workspaceId));
  await recorder.close();
  expect(await countLines(workspaceId)).toBe(0);
  const { rows } = await given.db.query('select 1 from api_key_uses where workspace_id = $1', [workspaceId]);
  expect(rows).toHaveLength(1);
});

it('if two processes record uses of one key, the later use is stored', async () => {
  const [first, second] = [openRecorder().recorder, openRecorder().recorder];
  const workspaceId = await given.workspace();
  const later = new Date(given.clock.now.getTime() + 1000);
  first.sink.onRequest(request(workspaceId, { at: later, address: '192.0.2.2' }));
  second.sink.onRequest(request(workspaceId, { address: '192.0.2.3' }));
  await first.close();
  await second.close();
  const { rows } = await given.db.query(
    'select last_used_at, last_used_address from api_key_uses where workspace_id = $1',
    [workspaceId],
  );
  expect(rows).toEqual([{ last_used_at: later, last_used_address: '192.0.2.2' }]);
});

it('twenty recorders that add to the same rows lose no usage and cause no deadlock', async () => {
  const workspaceId = await given.workspace();
  const recorders = Array.from({ length: 20 }, () => openRecorder().recorder);
  for (const [index, { sink }] of recorders.entries()) {
    const items = [1n, 2n, 3n, 4n, 5n];
    for (const itemId of index % 2 ? items : items.reverse()) {
      sink.onValidation({
        workspaceId,
        apiKeyId: 1n,
        address: '',
        at: given.clock.now,
        outcome: 'valid',
        itemId,
        purchaseId: undefined,
        codeHint: '',
      });
    }
  }
  await Promise.all(recorders.map((recorder) => recorder.close()));
  const { rows } = await given.db.query<{ valid: bigint }>(
    'select valid from validation_hours where workspace_id = $1',
    [workspaceId],
  );
  expect(rows.map((row) => row.valid)).toEqual([20n, 20n, 20n, 20n, 20n]);
});
