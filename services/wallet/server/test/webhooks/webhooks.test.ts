// Webhooks of a package report movements from the journal, changes of the credit level, and suspensions.
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventTypes } from '@counterfoil/wallet-server/webhooks/event-schemas';
import { startWebhookDispatcher } from '@counterfoil/wallet-server/webhooks/webhooks';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import type { Dispatcher } from '@counterfoil/webhooks/dispatcher/dispatcher';
import { type AttemptSender, createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver, type Receiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveAdministrator, giveMember, giveProgram, password, type Send } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let send: Send;
let hooks: string;
let receiver: Receiver;
let dispatcher: Dispatcher | undefined;
let sender: AttemptSender;
const { logger } = captureLog('wallet');
const hourMs = 3_600_000;

beforeAll(async () => {
  given = await givenWallet({ WEBHOOK_LOCAL_ADDRESSES: 'on' });
  receiver = await openReceiver();
  sender = createSender(createAddressGuard({ allowLocal: true }));
  const { db, config, clock } = given;
  const { masterKey, webhooks: settings } = config;
  const registry = createMetrics('wallet');
  const deps = { db, masterKey, settings, logger, registry, sender, now: () => clock.now };
  dispatcher = startWebhookDispatcher({ ...deps, pauseMs: 20 });
});
afterAll(async () => {
  await dispatcher?.stop();
  await sender.close();
  await receiver.close();
  await given.close();
});

beforeEach(async () => {
  receiver.taken.length = 0;
  receiver.refused.length = 0;
  receiver.answer = () => 204;
  owner = await given.package({ credit: '100.00', alertThreshold: 4000n });
  send = (await giveMember(given, owner, 'owner')).send;
  hooks = `/panel/packages/${owner.id}/webhooks`;
});

async function addEndpoint(events: string[] = Object.keys(eventTypes)): Promise<string> {
  const made = await send('POST', hooks, { url: receiver.url, events });
  expect(made.status, made.text).toBe(200);
  receiver.secret = made.body.data.secret;
  return `${hooks}/${made.body.data.endpoint.id}`;
}

const move = async (playerId: string, type: 'credit' | 'debit', amount: number, id: string) => {
  const payload = { player_id: playerId, type, amount, transaction_id: id };
  const answer = await given.app.inject({
    method: 'POST',
    url: '/api/v1/user/update_balance',
    headers: owner.headers,
    payload,
  });
  return answer.statusCode;
};

/** The received events of a type, without duplicates, in the order of their first arrival. */
const received = (type: string) =>
  [...new Map(receiver.taken.map((each) => [each.id, each])).values()]
    .map(({ event }) => event)
    .filter((event) => event.type === type);

describe('webhooks of movements', () => {
  it('after failed deliveries, all webhooks arrive in journal order for each player', async () => {
    await addEndpoint(['balance.changed']);
    const players = [await given.player(owner), await given.player(owner)];
    let down = true;
    receiver.answer = () => (down ? 500 : 204);
    for (let step = 1; step <= 12; step++) {
      for (const player of players) await move(player, 'credit', 1, `${player}-${step}`);
    }
    expect(await move(players[0] ?? '', 'debit', 5000, 'too-much')).toBe(422);
    await expect.poll(() => receiver.refused.length).toBeGreaterThan(0);
    down = false;
    await expect
      .poll(() => {
        given.clock.now = new Date(given.clock.now.getTime() + hourMs);
        return received('balance.changed').length;
      })
      .toBe(24);
    for (const player of players) {
      const own = received('balance.changed').filter(({ data }) => data.player_id === player);
      expect(own.map(({ data }) => data.balance)).toEqual(own.map((_, i) => i + 1));
      const sequences = own.map(({ data }) => Number(data.sequence));
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    }
    expect(received('balance.changed').map(({ data }) => data.transaction_id)).not.toContain('too-much');
  });

  it('one event round.settled follows the movements of a closed round; events can be replayed', async () => {
    const path = await addEndpoint(['balance.changed', 'round.settled']);
    const player = await given.player(owner, { balance: '20.00' });
    const provider = createProvider(given, owner);
    const of = (id: string) => ({ player_id: player, transaction_id: id, game_id: 'g' });
    const round_id = 'r1';
    await provider.send({ action: 'bet', ...of('b'), amount: 5, round_id });
    const won = { reference_transaction_id: 'b', round_finished: true, round_id };
    await provider.send({ action: 'win', ...of('w'), amount: 7, ...won });
    await expect.poll(() => received('round.settled').length).toBe(1);
    const [settled] = received('round.settled');
    expect(settled?.data).toMatchObject({
      round_id,
      player_id: player,
      bet_total: 5,
      win_total: 7,
    });
    const types = receiver.taken.map(({ event }) => `${event.type} ${event.data.balance}`);
    expect(types).toEqual([
      ...['balance.changed 20', 'balance.changed 15', 'balance.changed 22'],
      'round.settled undefined',
    ]);
    for (const { id, event } of [...receiver.taken]) {
      const { body } = await send('GET', `${path}/events/${id}`);
      expect(body.data.event).toEqual(event);
    }
    const all = await send('POST', `${path}/replay`, { since: '2026-01-01T00:00:00Z' });
    expect(all.body.data).toEqual({ queued: 5 });
    // The fifth event is the top-up that was made before the endpoint was created.
    await expect.poll(() => receiver.taken.length).toBe(9);
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(5);
  });
});

describe('webhooks about the credit level and the state of a package', () => {
  it('webhooks are sent when the credit level changes, and for a suspension and a resumption', async () => {
    await addEndpoint(['credit.low', 'credit.critical', 'credit.exhausted', 'credit.restored']);
    const player = await given.player(owner);
    await Promise.all([
      move(player, 'credit', 70, 'a'),
      move(player, 'credit', 25, 'b'),
      move(player, 'credit', 5, 'c'),
    ]);
    await move(player, 'debit', 90, 'd');
    await expect.poll(() => receiver.taken.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => receiver.taken.at(-1)?.event.type).toBe('credit.restored');
    expect(received('credit.exhausted')[0]?.data).toMatchObject({ level: 'exhausted' });
    expect(received('credit.restored')[0]?.data).toMatchObject({
      level: null,
      previous_level: 'exhausted',
      package_balance: 90,
    });

    await addEndpoint(['package.suspended', 'package.resumed']);
    const administrator = await giveAdministrator(given);
    const at = `/panel/admin/packages/${owner.id}`;
    expect((await administrator.send('POST', `${at}/suspend`, {})).status).toBe(200);
    expect((await administrator.send('POST', `${at}/resume`, {})).status).toBe(200);
    await expect.poll(() => received('package.resumed').length).toBe(1);
    expect(received('package.suspended')[0]?.data).toMatchObject({ state: 'suspended' });
  });
});

describe('access to webhooks', () => {
  it('owners may change webhooks; members and administrators may read webhooks; others may not', async () => {
    const path = await addEndpoint();
    const id = path.split('/').at(-1);
    const other = await given.package();
    const stranger = (await giveMember(given, other, 'owner')).send;
    for (const of of [id, '999999']) {
      const answer = await stranger('DELETE', `/panel/packages/${other.id}/webhooks/${of}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'webhook_not_found']);
    }
    expect((await stranger('GET', hooks)).body.code).toBe('package_not_found');
    const member = (await giveMember(given, owner, 'member')).send;
    expect((await member('GET', hooks)).body.data.endpoints).toHaveLength(1);
    expect((await member('DELETE', path)).body.code).toBe('forbidden');
    const program = (await giveProgram(given)).send;
    const none = await program('GET', `/admin/v1/packages/${owner.id}/webhooks`);
    expect(none.body.code).toBe('route_not_found');
    const administrator = await giveAdministrator(given);
    const listed = await administrator.send('GET', `/panel/admin/packages/${owner.id}/webhooks`);
    expect(listed.body.data.endpoints).toHaveLength(1);
    const revealed = await send('POST', `${path}/reveal`, { password });
    expect(revealed.body.data.secret).toBe(receiver.secret);
    expect((await send('DELETE', path)).status).toBe(200);
  });
});
