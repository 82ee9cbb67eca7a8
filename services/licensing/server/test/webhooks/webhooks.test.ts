// Events of a workspace are not lost, arrive in order per subject, and are hidden from other workspaces.
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { issuePurchase } from '@counterfoil/licensing-server/purchases/management/issue-purchase';
import {
  recordAllSupportEndings,
  startWebhookDispatcher,
} from '@counterfoil/licensing-server/webhook-dispatcher';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import type { Dispatcher } from '@counterfoil/webhooks/dispatcher/dispatcher';
import { type AttemptSender, createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver, type Receiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing({ WEBHOOK_LOCAL_ADDRESSES: 'on', WEBHOOK_DISABLE_AFTER_HOURS: '1' });
let workspaceId: bigint;
let itemId: bigint;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;
let hooks: string;
let receiver: Receiver;
let dispatchers: Dispatcher[] = [];
let senders: AttemptSender[] = [];
const start = new Date('2026-05-04T10:00:00Z');
const hourMs = 3_600_000;
/** The time for which a process claims an endpoint. */
const leaseMs = deadlineMs(60_000);
const { logger, lines } = captureLog('licensing');

beforeEach(async () => {
  // The clock is set to the current time, because receivers refuse old signatures.
  given.clock.now = new Date();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  owner = await givenSignedIn(given, workspaceId);
  hooks = `${owner.base}/webhooks`;
  receiver = await openReceiver();
});
afterEach(async () => {
  for (const dispatcher of dispatchers) await dispatcher.stop();
  for (const sender of senders) await sender.close();
  [dispatchers, senders] = [[], []];
  await receiver.close();
});

function dispatcherDeps(sender = createSender(createAddressGuard({ allowLocal: true }))) {
  senders.push(sender);
  const { db, config, clock } = given;
  const { masterKey, webhooks: settings } = config;
  const now = () => clock.now;
  const registry = createMetrics('licensing');
  return { db, masterKey, settings, logger, now, registry, sender, pauseMs: 20 };
}

function startDispatcher(sender?: AttemptSender): Dispatcher {
  const dispatcher = startWebhookDispatcher(dispatcherDeps(sender));
  dispatchers.push(dispatcher);
  return dispatcher;
}

/**
 * Runs a dispatcher until it has sent all due events. To detect this, the function creates a later event in
 * another workspace, and waits for the delivery of this event.
 */
async function runDispatcher(): Promise<void> {
  const others = await given.workspace();
  const { base, post } = await givenSignedIn(given, others);
  const bystander = await openReceiver();
  const wanted = { url: bystander.url, events: ['purchase.issued'] };
  bystander.secret = (await post(`${base}/webhooks`, wanted)).body.data.secret;
  const dispatcher = startDispatcher();
  await given.purchase(others, await given.item(others));
  await expect.poll(() => bystander.taken.length).toBe(1);
  await dispatcher.stop();
  await bystander.close();
}

const pass = (ms: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + ms);
};

async function addEndpoint(body: object = {}): Promise<{ id: number; path: string }> {
  const events = ['purchase.issued', 'purchase.refunded', 'purchase.disputed', 'key.rotated'];
  const made = await owner.post(hooks, { url: receiver.url, events, ...body });
  expect(made.status, made.text).toBe(200);
  receiver.secret = made.body.data.secret;
  const { id } = made.body.data.endpoint;
  return { id, path: `${hooks}/${id}` };
}

const change = async (purchaseId: bigint, verb: string) => {
  const answer = await owner.post(`${owner.base}/purchases/${purchaseId}/${verb}`);
  expect(answer.status, answer.text).toBe(200);
};

const endpoint = async (id: number) => {
  const { body } = await owner.get(hooks);
  return body.data.endpoints.find((each: { id: number }) => each.id === id);
};

/**
 * Moves the clock a little, then sends a query. A delivery run can end during this query. Without the query,
 * the clock could pass the end of the run's claim before the run ends.
 */
async function passWhile(id: number, ms: number): Promise<void> {
  pass(ms);
  await endpoint(id);
}

const format = ({ event }: { event: { type: string; data: Record<string, unknown> } }) =>
  `${event.data.purchase_id} ${event.type}`;

describe('delivery of webhooks', () => {
  it('the events of each purchase arrive in order after failed deliveries and a killed process', async () => {
    const { id, path } = await addEndpoint();
    let down = true;
    receiver.answer = () => (down ? 503 : 204);
    // Simulates a process that was killed after it claimed the endpoint. Such a process never releases the
    // claim.
    let hung = false;
    const send = () => {
      hung = true;
      return new Promise<never>(() => {});
    };
    const dead = { send, close: async () => {} };
    const first = await given.purchase(workspaceId, itemId);
    const killed = startWebhookDispatcher(dispatcherDeps(dead));
    await expect.poll(() => hung).toBe(true);
    void killed.stop();
    const purchases = [first];
    for (let i = 0; i < 5; i++) purchases.push(await given.purchase(workspaceId, itemId));
    for (const { id: purchaseId } of purchases) {
      await change(purchaseId, 'dispute');
      await change(purchaseId, 'dispute-won');
      await change(purchaseId, 'refund');
    }
    await runDispatcher();
    expect(receiver.refused, 'the claim of the dead process is still valid').toEqual([]);
    startDispatcher();
    pass(leaseMs + 1000);
    await expect.poll(() => receiver.refused.length).toBeGreaterThan(1);
    await expect.poll(async () => (await endpoint(id)).failing_since).not.toBeNull();
    down = false;
    pass(hourMs);
    await expect.poll(() => new Set(receiver.taken.map((each) => each.id)).size).toBe(18);
    for (const { id: purchaseId } of purchases) {
      const seen = new Map(receiver.taken.map((each) => [each.id, format(each)]));
      const own = [...seen.values()].filter((each) => each.startsWith(`${purchaseId} `));
      expect(own).toEqual(['issued', 'disputed', 'refunded'].map((each) => `${purchaseId} purchase.${each}`));
    }
    await expect
      .poll(async () => await endpoint(id))
      .toMatchObject({ pending: 0, failing_since: null, state: 'enabled' });
    const { body } = await owner.get(`${path}/deliveries?outcome=failed&limit=1`);
    expect(body.data.deliveries[0]).toMatchObject({ status: 503, error: 'wrong_status' });
    expect(body.data.next_cursor).toMatch(/^\d+\.\d+$/);
  });

  it('delivery continues for other purchases while an event is refused and finally dropped', async () => {
    const { id, path } = await addEndpoint();
    const poison = await given.purchase(workspaceId, itemId);
    receiver.answer = (each) => (each.event.data.purchase_id === Number(poison.id) ? 500 : 204);
    startDispatcher();
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await given.purchase(workspaceId, itemId));
    await change(poison.id, 'refund');
    const taken = () => receiver.taken.map((each) => Number(each.event.data.purchase_id));
    await expect
      .poll(async () => {
        await passWhile(id, 10_000);
        return taken().sort();
      })
      .toEqual(others.map((each) => Number(each.id)).sort());
    await given.purchase(workspaceId, itemId);
    await expect
      .poll(async () => {
        await passWhile(id, 10_000);
        return taken().length;
      })
      .toBe(4);
    pass(hourMs);
    await expect
      .poll(async () => {
        await passWhile(id, 300_000);
        const { body } = await owner.get(`${path}/deliveries`);
        return body.data.deliveries.map((each: { error: string }) => each.error);
      })
      .toContain('given_up');
    expect((await endpoint(id)).state).toBe('enabled');
  });

  it('an endpoint is disabled after a 410 or an hour of 302 answers, and can be enabled again', async () => {
    const { id, path } = await addEndpoint();
    let status = 410;
    receiver.answer = () => status;
    startDispatcher();
    await given.purchase(workspaceId, itemId);
    await expect.poll(() => endpoint(id)).toMatchObject({ disabled_reason: 'gone' });
    const log = await owner.get(`${path}/deliveries`);
    expect(log.body.data.deliveries).toMatchObject([{ status: 410, next_attempt_at: null }]);
    status = 302;
    await owner.patch(path, { state: 'enabled' });
    await expect.poll(() => endpoint(id)).toMatchObject({ state: 'enabled', pending: 1 });
    await expect.poll(async () => (await endpoint(id)).failing_since).not.toBeNull();
    pass(hourMs);
    await expect.poll(() => endpoint(id)).toMatchObject({ disabled_reason: 'failing' });
    const { body } = await owner.get(`${owner.base}/audit-log`);
    const actions = body.data.entries.map((entry: { action: string }) => entry.action);
    expect(actions.filter((each: string) => each === 'webhook_disabled')).toHaveLength(2);
    expect(lines.join('')).toContain('a webhook endpoint was disabled');
    status = 204;
    given.clock.now = new Date();
    await owner.patch(path, { state: 'enabled' });
    await expect.poll(() => receiver.taken.length).toBe(1);
    expect(receiver.taken[0]?.id).toBe(receiver.refused[0]);
  });

  it('a delivery is signed with both secrets in the overlap, and a replay keeps the event id', async () => {
    const { path } = await addEndpoint();
    const old = receiver.secret;
    const rotated = await owner.post(`${path}/rotate`, { overlap_hours: 1 });
    const { secret } = rotated.body.data;
    expect(rotated.body.data.previous_secret_until).not.toBeNull();
    for (const each of [old, secret]) {
      receiver.secret = each;
      const { body } = await owner.post(`${path}/test`);
      expect(body.data).toMatchObject({ status: 204, outcome: 'delivered', error: null });
    }
    expect(receiver.taken[0]?.signature.split(' ')).toHaveLength(2);
    await owner.post(`${path}/rotate`, { overlap_hours: 0 });
    const late = await owner.post(`${path}/test`);
    expect(late.body.data).toMatchObject({ status: 401, outcome: 'failed' });
    const { password } = owner.person;
    const revealed = await owner.post(`${path}/reveal`, { password });
    receiver.secret = revealed.body.data.secret;
    expect((await owner.post(`${path}/reveal`, { password: 'guess' })).status).toBe(403);

    receiver.taken.length = 0;
    startDispatcher();
    await given.purchase(workspaceId, itemId);
    await expect.poll(() => receiver.taken.length).toBe(1);
    const [first] = receiver.taken;
    const { body } = await owner.get(`${path}/events/${first?.id}`);
    expect(body.data.event).toEqual(first?.event);
    expect(Object.keys(first?.event.data ?? {}).join()).not.toMatch(/buyer|code/);
    const again = await owner.post(`${path}/replay`, { event_id: first?.id });
    expect(again.body.data).toEqual({ queued: 1 });
    const since = await owner.post(`${path}/replay`, { since: start.toISOString() });
    expect(since.body.data).toEqual({ queued: 1 });
    await expect.poll(() => receiver.taken.length).toBe(3);
    expect(new Set(receiver.taken.map((each) => each.id)).size).toBe(1);
  });
});

describe('events of a workspace', () => {
  it('no event is stored if its change is rolled back; each end of support is recorded once', async () => {
    await addEndpoint({ events: ['purchase.support_ending', 'purchase.issued'] });
    const soon = new Date(given.clock.now.getTime() + 3 * 24 * hourMs);
    const { id } = await given.purchase(workspaceId, itemId, { supportedUntil: soon });
    const before = await listEvents();
    expect(before).toEqual(['purchase.issued']);
    const undone = given.db.transaction(async (tx) => {
      const sale = { workspaceId, itemId, licenseType: 'Regular', priceMinor: 1n } as const;
      const rest = { currency: 'USD', purchasedAt: start };
      await issuePurchase(tx, given.config.masterKey, { ...sale, ...rest });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await listEvents()).toEqual(before);
    await Promise.all([recordAllSupportEndings(dispatcherDeps()), recordAllSupportEndings(dispatcherDeps())]);
    expect(await listEvents()).toEqual([...before, 'purchase.support_ending']);
    const later = new Date(soon.getTime() + 24 * hourMs).toISOString();
    await owner.post(`${owner.base}/purchases/${id}/support`, { supported_until: later });
    await recordAllSupportEndings(dispatcherDeps());
    await recordAllSupportEndings(dispatcherDeps());
    expect((await listEvents()).filter((type) => type === 'purchase.support_ending')).toHaveLength(2);
  });
});

describe('webhooks of a workspace', () => {
  it('webhooks are not found by another workspace, and cannot be changed by a member', async () => {
    const { id, path } = await addEndpoint();
    await given.purchase(workspaceId, itemId);
    const event = `evt_${workspaceId}_1`;
    expect((await owner.get(`${path}/events/${event}`)).status).toBe(200);
    const otherId = await given.workspace();
    const other = await givenSignedIn(given, otherId);
    const own = await other.post(`${other.base}/webhooks`, {
      url: receiver.url,
      events: ['key.rotated'],
    });
    const ownPath = `${other.base}/webhooks/${own.body.data.endpoint.id}`;
    expect((await other.get(`${ownPath}/events/${event}`)).body.code).toBe('webhook_event_not_found');
    const strip = (text: string) => text.replace(/req_[0-9a-f-]{36}/, 'req');
    for (const [method, rest, body] of [
      ['PATCH', '', { state: 'disabled' }],
      ['DELETE', '', undefined],
      ['POST', '/rotate', { overlap_hours: 0 }],
      ['POST', '/reveal', { password: other.person.password }],
      ['POST', '/test', {}],
      ['POST', '/replay', { event_id: event }],
      ['GET', '/deliveries', undefined],
    ] as const) {
      const [theirs, unknown] = [
        await other.send(method, `${other.base}/webhooks/${id}${rest}`, body),
        await other.send(method, `${other.base}/webhooks/999999${rest}`, body),
      ];
      expect(strip(theirs.text), rest).toBe(strip(unknown.text));
      expect(theirs.body.code, rest).toBe('webhook_not_found');
    }
    const member = await givenSignedIn(given, workspaceId, 'member');
    expect((await member.get(hooks)).status).toBe(200);
    expect((await member.patch(path, { state: 'disabled' })).body.code).toBe('forbidden');
    for (let i = 0; i < 9; i++) await addEndpoint();
    const eleventh = await owner.post(hooks, { url: receiver.url, events: ['key.rotated'] });
    expect(eleventh.body.code).toBe('too_many_webhooks');
    const wrong = await owner.post(hooks, { url: 'ftp://x', events: ['key.rotated'] });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['url']]);
  });
});

async function listEvents(): Promise<string[]> {
  const { rows } = await given.db.query<{ type: string }>(
    'select type from webhook_events where workspace_id = $1 order by sequence',
    [workspaceId],
  );
  return rows.map((row) => row.type);
}
