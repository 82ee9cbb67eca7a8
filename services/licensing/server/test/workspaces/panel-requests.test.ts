// The request log and the hourly counts are written after the answer, have no secrets, and expire on time.
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUsageRecorder, type UsageRecorder } from '../../src/usage/record-usage.ts';
import type { RequestEvent, ValidationEvent } from '../../src/usage/usage-sink.ts';
import { setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing();
let recorder: UsageRecorder;

beforeAll(async () => {
  recorder = createUsageRecorder({
    db: given.db,
    logger: captureLog().logger,
    registry: createMetrics('test'),
    now: () => given.clock.now,
    requestLogDays: 30,
    flushEveryMs: 3_600_000,
  });
});

afterAll(() => recorder.close());

const request = (workspaceId: bigint, wanted: Partial<RequestEvent> = {}): RequestEvent => ({
  workspaceId,
  apiKeyId: 1n,
  address: '192.0.2.1',
  at: given.clock.now,
  method: 'POST',
  route: '/api/purchases/validation',
  status: 200,
  code: undefined,
  durationMs: 1.234,
  requestId: 'req_x',
  itemId: undefined,
  codeHint: undefined,
  pageOrigin: undefined,
  ...wanted,
});

const validation = (workspaceId: bigint, wanted: Partial<ValidationEvent>): ValidationEvent => ({
  workspaceId,
  apiKeyId: 1n,
  address: '192.0.2.1',
  at: given.clock.now,
  outcome: 'valid',
  itemId: undefined,
  purchaseId: undefined,
  codeHint: '…',
  ...wanted,
});

const listPartitions = async () => {
  const { rows } = await given.db.query<{ name: string }>(
    `select relname::text as name from pg_class where relname ~ '^request_log_2' and relkind = 'r'
     order by 1`,
  );
  return rows.map((row) => row.name.slice(-8));
};

describe('the request log', () => {
  it('the log has the end of the code of each request, but neither the full code nor the key', async () => {
    const workspaceId = await given.workspace();
    const owner = await givenSignedIn(given, workspaceId);
    const itemId = await given.item(workspaceId);
    const { code } = await given.purchase(workspaceId, itemId);
    const key = await given.apiKey(workspaceId);
    const validate = (purchase_code: string) =>
      given.app.inject({
        method: 'POST',
        url: `/api/purchases/validation?api_key=${key}`,
        payload: { purchase_code },
      });
    const unknown = '00000000-0000-4000-8000-000000009999';
    const answers = [await validate(code), await validate(unknown)];
    const read = async () => (await owner.get(`${owner.base}/requests`)).body.data.requests;
    await expect.poll(async () => (await read()).length).toBe(2);
    const lines = await read();
    expect(lines[0]).toMatchObject({
      method: 'POST',
      route: '/api/purchases/validation',
      status: 404,
      code: 'purchase_not_found',
      request_id: answers[1]?.json().request_id,
      address: '127.0.0.1',
    });
    expect(lines[0].code_hint).toContain('9999');
    expect(lines[1]).toMatchObject({ status: 200, item_id: Number(itemId) });
    expect(lines[1]).not.toHaveProperty('code');
    const text = JSON.stringify(lines);
    for (const secret of [key, code, unknown]) expect(text).not.toContain(secret);
    const usage = await owner.get(`${owner.base}/usage`);
    expect(usage.body.data.hours).toEqual([{ hour: '2026-05-04T10:00:00Z', valid: 1, invalid: 1 }]);
  });

  it('the request log can be filtered by status, code, route, key and time, and has pages', async () => {
    const workspaceId = await given.workspace();
    const owner = await givenSignedIn(given, workspaceId);
    const at = (minute: number) => new Date(given.clock.now.getTime() - minute * 60_000);
    const record = (minute: number, wanted: Partial<RequestEvent>) =>
      recorder.sink.onRequest(request(workspaceId, { at: at(minute), ...wanted }));
    record(1, { requestId: 'a' });
    record(2, { requestId: 'b', status: 404, code: 'purchase_not_found' });
    record(3, { requestId: 'c', status: 404, code: 'purchase_refunded', apiKeyId: 2n });
    record(4, { requestId: 'd', status: 503, code: 'overloaded' });
    record(5, { requestId: 'e', route: '/api/items/all', method: 'GET' });
    await recorder.flush();
    const read = async (query: string) => {
      const { status, body } = await owner.get(`${owner.base}/requests?${query}`);
      if (status !== 200) return body.code;
      const ids = body.data.requests.map((each: { request_id: string }) => each.request_id);
      return ids.join('');
    };
    expect(await read('')).toBe('abcde');
    expect(await read('status=404')).toBe('bc');
    expect(await read('status=2xx')).toBe('ae');
    expect(await read('status=5xx')).toBe('d');
    expect(await read('code=purchase_refunded')).toBe('c');
    expect(await read('status=404&api_key_id=2')).toBe('c');
    expect(await read('route=/api/items/all')).toBe('e');
    expect(await read(`from=${at(3).toISOString()}&to=${at(1).toISOString()}`)).toBe('bc');
    for (const bad of ['status=999', 'status=4x', 'from=yesterday', 'cursor=5', 'limit=1000']) {
      expect(await read(bad)).toBe('invalid_parameter');
    }
    const first = await owner.get(`${owner.base}/requests?limit=2`);
    expect(await read(`limit=3&cursor=${first.body.data.next_cursor}`)).toBe('cde');
  });

  it('the request log creates partitions in advance, and drops expired partitions', async () => {
    const workspaceId = await given.workspace();
    const day = (text: string) => new Date(`${text}T12:00:00Z`);
    const before = given.clock.now;
    recorder.sink.onRequest(request(workspaceId, { at: day('2026-04-04'), requestId: 'oldest' }));
    recorder.sink.onRequest(request(workspaceId, { at: day('2026-05-04'), requestId: 'newest' }));
    await recorder.flush();
    await recorder.keepTables();
    expect(await listPartitions()).toEqual([
      '20260404',
      ...Array.from({ length: 8 }, (_, step) => `202605${String(4 + step).padStart(2, '0')}`),
    ]);
    given.clock.now = day('2026-05-05');
    await Promise.all([recorder.keepTables(), recorder.keepTables()]);
    expect((await listPartitions())[0]).toBe('20260504');
    const { rows } = await given.db.query<{ request_id: string }>(
      'select request_id from request_log where workspace_id = $1',
      [workspaceId],
    );
    expect(rows.map((row) => row.request_id)).toEqual(['newest']);
    given.clock.now = before;
  });

  it('the log stores a request with invalid characters, and loses no line of another request', async () => {
    const workspaceId = await given.workspace();
    const odd = { codeHint: 'a\0b', address: '\ud800' };
    recorder.sink.onRequest(request(workspaceId, odd));
    recorder.sink.onRequest(request(workspaceId));
    await recorder.flush();
    const { rows } = await given.db.query<{ address: string; code_hint: string }>(
      'select address, code_hint from request_log where workspace_id = $1 order by id',
      [workspaceId],
    );
    expect(rows).toEqual([
      { address: '', code_hint: '' },
      { address: '192.0.2.1', code_hint: '' },
    ]);
  });
});

describe('the hourly counts', () => {
  it('the counts are added up by hour and item over several flushes', async () => {
    const workspaceId = await given.workspace();
    const owner = await givenSignedIn(given, workspaceId);
    const hourAgo = new Date(given.clock.now.getTime() - 3_600_000);
    const record = (wanted: Partial<ValidationEvent>) =>
      recorder.sink.onValidation(validation(workspaceId, wanted));
    record({ itemId: 7n });
    record({ itemId: 7n });
    await recorder.flush();
    record({ itemId: 7n, outcome: 'purchase_refunded' });
    record({ outcome: 'purchase_not_found' });
    record({ itemId: 8n, at: hourAgo });
    await recorder.flush();
    const read = async (query = '') => (await owner.get(`${owner.base}/usage?${query}`)).body.data;
    expect(await read()).toEqual({
      hours: [
        { hour: '2026-05-04T09:00:00Z', valid: 1, invalid: 0 },
        { hour: '2026-05-04T10:00:00Z', valid: 2, invalid: 2 },
      ],
      items: [
        { item_id: 7, valid: 2, invalid: 1 },
        { valid: 0, invalid: 1 },
        { item_id: 8, valid: 1, invalid: 0 },
      ],
    });
    expect((await read('item_id=8')).hours).toHaveLength(1);
    expect((await read('to=2026-05-04T10:00:00Z')).hours).toHaveLength(1);
    const wide = 'from=2020-01-01T00:00:00Z';
    expect((await owner.get(`${owner.base}/usage?${wide}`)).status).toBe(400);
  });
});
