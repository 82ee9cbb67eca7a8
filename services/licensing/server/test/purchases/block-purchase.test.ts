// POST …/purchases/{id}/block and …/unblock: a blocked code is refused everywhere until the block is removed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { auditActions, bothClients, keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let apiKey: string;
let key: TestClient;
let panel: TestClient;
let sale: { id: bigint; code: string };

beforeAll(async () => {
  given = await givenLicensing();
});
afterAll(() => given.close());

beforeEach(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  apiKey = await given.apiKey(workspaceId, { scopes: allScopes });
  key = keyClient(given, apiKey);
  panel = (await bothClients(given, workspaceId))[1] as TestClient;
  sale = await given.purchase(workspaceId, itemId);
});

const change = (verb: string, by = key, id: bigint | number = sale.id) =>
  by.send('POST', `/purchases/${id}/${verb}`);

async function validate(headers: Record<string, string> = {}) {
  const answer = await given.app.inject({
    method: 'POST',
    url: '/api/purchases/validation',
    headers: { 'x-api-key': apiKey, ...headers },
    payload: { purchase_code: sale.code },
  });
  const { status, msg, code } = answer.json();
  return answer.statusCode === 200 ? status : [answer.statusCode, msg, code];
}

const refused = [404, 'Invalid purchase code', 'purchase_cancelled'];
const host = { domain: 'shop.example' };
const sendCode = (path: string) => key.send('POST', path, { purchase_code: sale.code, ...host });

async function listEvents(): Promise<string[]> {
  const { rows } = await given.db.query<{ type: string }>(
    `select type from webhook_events where workspace_id = $1 and type like 'purchase.%' order by sequence`,
    [workspaceId],
  );
  return rows.map(({ type }) => type);
}

describe('a blocked purchase', () => {
  it('the code of a blocked purchase is refused as cancelled until the purchase is unblocked', async () => {
    expect(await validate()).toBe('success');
    const blocked = await change('block');
    expect(blocked.body.data.purchase).toMatchObject({ state: 'active', blocked_at: '2026-05-04T10:00:00Z' });
    // The request with an Origin comes from a web page. Both requests go to the router, because `inject`
    // bypasses the fast path.
    expect(await validate()).toEqual(refused);
    expect(await validate({ origin: 'https://shop.example' })).toEqual(refused);
    const unblocked = await change('unblock', panel);
    expect(unblocked.body.data.purchase).toMatchObject({ state: 'active', blocked_at: '' });
    expect(await validate()).toBe('success');
  });

  it('a blocked purchase gets no activation, licence or download link, and its activations end', async () => {
    expect((await sendCode('/activations')).status).toBe(200);
    await change('block', panel);
    for (const path of ['/activations', '/licences']) {
      const { status, body } = await sendCode(path);
      expect([status, body.code], path).toEqual([404, 'purchase_cancelled']);
    }
    const link = await panel.send('POST', `/purchases/${sale.id}/download-links`);
    expect([link.status, link.body.code]).toEqual([409, 'purchase_state_conflict']);
    const { body } = await key.send('GET', `/activations?purchase_id=${sale.id}`);
    expect(body.data.activations).toMatchObject([{ target: 'shop.example', state: 'ended' }]);
    await change('unblock');
    expect((await sendCode('/activations')).body.data).toMatchObject({ created: false, used: 1 });
  });

  it('during a block, the licence is on the revocation list and is refused by the update feed', async () => {
    const { body } = await sendCode('/licences');
    const { licence } = body.data;
    const claims = JSON.parse(Buffer.from(licence.split('.')[1], 'base64url').toString());
    given.memoryClock.ms = 0;
    const readRevoked = async () => {
      given.memoryClock.ms = (given.memoryClock.ms ?? 0) + 60_000;
      const { body: list } = await given.app.inject(`/.well-known/revocations/${workspaceId}.jwt`);
      return JSON.parse(Buffer.from(list.split('.')[1] ?? '', 'base64url').toString()).revoked;
    };
    const readFeed = () =>
      given.app.inject({ url: `/updates/${itemId}.json`, headers: { 'x-purchase-code': licence } });
    expect([await readRevoked(), (await readFeed()).statusCode]).toEqual([[], 200]);
    await change('block');
    expect(await readRevoked()).toEqual([claims.code_id]);
    expect((await readFeed()).json().code).toBe('purchase_cancelled');
    await change('unblock');
    expect([await readRevoked(), (await readFeed()).statusCode]).toEqual([[], 200]);
  });

  it('a repeated block or unblock changes nothing; each change is audited and sends an event', async () => {
    for (const verb of ['unblock', 'block', 'block', 'unblock', 'unblock']) {
      expect((await change(verb)).status, verb).toBe(200);
    }
    expect(await listEvents()).toEqual(['purchase.issued', 'purchase.blocked', 'purchase.unblocked']);
    const actions = await auditActions(given, workspaceId);
    expect(actions.filter((each) => each.includes('block'))).toEqual([
      'purchase_blocked',
      'purchase_unblocked',
    ]);
  });

  it('a blocked purchase can be disputed, and is still blocked after the dispute is won', async () => {
    await change('block');
    await change('dispute');
    expect(await validate()).toEqual([404, 'Invalid purchase code', 'purchase_disputed']);
    const won = await change('dispute-won');
    expect(won.body.data.purchase.state).toBe('active');
    expect(await validate()).toEqual(refused);
  });

  it('the block stays if the code is replaced or the purchase is imported again', async () => {
    await change('block');
    const file = `code,item_id,price,date,state\n${sale.code},${itemId},19.99,2026-05-04T10:00:00Z,active\n`;
    const imported = await panel.send('POST', '/purchases/import?format=csv&update=true', Buffer.from(file), {
      'content-type': 'text/csv',
    });
    expect([imported.status, imported.text]).toEqual([200, expect.stringContaining('"unchanged":1')]);
    const replaced = await change('reissue');
    expect(replaced.body.data.purchase.blocked_at).not.toBe('');
    sale = { ...sale, code: replaced.body.data.purchase.purchase_code };
    expect(await validate()).toEqual(refused);
  });

  it.each(['refund', 'cancel'])(
    'after a %s, a purchase cannot be blocked, but its block can be removed',
    async (end) => {
      await change('block');
      await change(end);
      expect((await change('unblock')).body.data.purchase.blocked_at).toBe('');
      const { status, body } = await change('block');
      expect([status, body.code]).toEqual([409, 'purchase_state_conflict']);
      expect((await listEvents()).filter((type) => type === 'purchase.blocked')).toHaveLength(1);
    },
  );
});

it('a block needs a purchase of the own workspace, and a key with the scope purchases:write', async () => {
  const foreign = await given.workspace();
  const theirs = await given.purchase(foreign, await given.item(foreign));
  for (const verb of ['block', 'unblock']) {
    for (const client of [key, panel]) {
      const [known, unknown] = [
        await change(verb, client, theirs.id),
        await change(verb, client, 999_999_999),
      ];
      expect([known.status, known.body.code, known.body.msg]).toEqual([
        404,
        'purchase_not_found',
        unknown.body.msg,
      ]);
    }
    const reader = keyClient(given, await given.apiKey(workspaceId));
    expect((await change(verb, reader)).body.code).toBe('insufficient_scope');
    const filled = await key.send('POST', `/purchases/${sale.id}/${verb}`, { reason: 'abuse' });
    expect(filled.status).toBe(400);
  }
  const { rows } = await given.db.query(
    'select 1 from purchases where blocked_at is not null and workspace_id = any($1)',
    [[workspaceId, foreign]],
  );
  expect(rows).toEqual([]);
  const member = await givenSignedIn(given, workspaceId, 'member');
  expect((await member.post(`${member.base}/purchases/${sale.id}/block`)).status).toBe(200);
});
