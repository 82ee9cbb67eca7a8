// A buyer sees and manages only their own purchases: hosts, downloads, leaked codes and their data.

import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import type { FastifyRequest } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildLicensingApp, migrationFolders } from '../../src/app.ts';
import { getBuyer, makeBuyerCookie, requireBuyer } from '../../src/buyers/buyer-session.ts';
import { type BuyerBrowser, openBuyerBrowser, portal, readMails } from '../environment/buyer-browser.ts';
import { setUpLicensing } from '../environment/given.ts';
import { type Answer, type Browser, givenSignedIn } from '../environment/panel-browser.ts';
import { json, validate } from '../environment/validation-calls.ts';

const given = setUpLicensing({ DEMO: 'on' });
const dayMs = 86_400_000;
let workspaceId: bigint;
let itemId: bigint;
let key: string;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;
let buyers = 0;
let browser: BuyerBrowser;
let email: string;
let sale: { id: bigint; code: string };
let base: string;

beforeAll(async () => {
  workspaceId = await given.workspace({ name: 'Paperlane' });
  itemId = await given.item(workspaceId, { name: 'Typewriter', version: '1.0.0' });
  key = await given.apiKey(workspaceId, {
    scopes: ['purchases:validate', 'activations:write', 'items:write', 'purchases:write'],
  });
  owner = await givenSignedIn(given, workspaceId);
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await addVersion(version);
});

beforeEach(async () => {
  email = `portal-${++buyers}@buyers.example`;
  const supportedUntil = new Date(given.clock.now.getTime() + 30 * dayMs);
  sale = await given.purchase(workspaceId, itemId, { buyerEmail: email, buyerName: 'Ada', supportedUntil });
  browser = openBuyerBrowser(given, `10.8.${buyers}.1`);
  base = `${portal}/sellers/${workspaceId}/purchases/${sale.id}`;
  await browser.signInWithCode(email, sale.code);
});

const callWithKey = async (method: 'POST' | 'PUT', url: string, payload: object | Buffer) => {
  const type = Buffer.isBuffer(payload) ? 'application/octet-stream' : 'application/json';
  const headers = { 'x-api-key': key, 'content-type': type };
  return await given.app.inject({ method, url, headers, payload });
};

async function addVersion(version: string): Promise<void> {
  const versions = `/api/v1/items/${itemId}/versions`;
  if (version !== '1.0.0') await callWithKey('POST', versions, { version, notes: `Notes of ${version}` });
  const file = `${versions}/${version}/file?file_name=typewriter.zip`;
  const uploaded = await callWithKey('PUT', file, Buffer.from(`file of ${version}`));
  expect(uploaded.statusCode).toBe(200);
}

const activate = async (domain: string) =>
  (await callWithKey('POST', '/api/v1/activations', { purchase_code: sale.code, domain })).json();

const codeOf = async (code: string) =>
  (await validate(given, json({ api_key: key, purchase_code: code }))).json().code ?? 'valid';

const readPurchase = async () => (await browser.get(base)).body.data.purchase;

describe('a purchase', () => {
  it('the buyer sees code, support, hosts and versions', async () => {
    await activate('https://www.old.example/');
    const purchase = await readPurchase();
    expect(purchase).toMatchObject({
      id: Number(sale.id),
      item_name: 'Typewriter',
      purchase_code: sale.code,
      state: 'active',
      hosts: [{ target: 'old.example', state: 'active' }],
      hosts_used: 1,
      host_limit: 1,
      reissues_left: 3,
      downloaded_version: '',
    });
    expect(purchase.supported_until).toBe(purchase.updates_until);
    const versions = purchase.versions.map((each: { version: string }) => each.version);
    expect(versions).toEqual(['2.0.0', '1.1.0', '1.0.0']);
  });

  it("another buyer's purchase and another workspace's are answered exactly like a missing one", async () => {
    const other = await given.purchase(workspaceId, itemId, { buyerEmail: 'other@buyers.example' });
    const elsewhere = await given.workspace();
    const foreign = await given.purchase(elsewhere, await given.item(elsewhere), { buyerEmail: email });
    const activation = (await activate('mine.example')).data.activation.id;
    const actions: ((id: bigint | number) => Promise<{ status: number; body: object }>)[] = [
      (id) => browser.get(`${portal}/sellers/${workspaceId}/purchases/${id}`),
      (id) => browser.post(`${portal}/sellers/${workspaceId}/purchases/${id}/reissue`),
      (id) =>
        browser.post(`${portal}/sellers/${workspaceId}/purchases/${id}/activations/${activation}/release`),
      (id) =>
        browser.post(`${portal}/sellers/${workspaceId}/purchases/${id}/download-links`, { version: '1.0.0' }),
    ];
    for (const act of actions) {
      const missing = await act(987_654_321);
      expect(missing).toMatchObject({ status: 404, body: { code: 'purchase_not_found' } });
      for (const id of [other.id, foreign.id]) {
        const answer = await act(id);
        expect({ ...answer.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
      }
    }
    expect(await codeOf(other.code)).toBe('valid');
    expect((await readPurchase()).hosts_used).toBe(1);
  });

  it('a new code ends the download links and all other sessions that the old code opened', async () => {
    const made = await browser.post(`${base}/download-links`, { version: '1.0.0' });
    const download = async () =>
      (await given.app.inject({ url: new URL(made.body.data.url).pathname })).statusCode;
    expect(await download()).toBe(200);
    const thief = openBuyerBrowser(given, `10.9.${buyers}.1`);
    await thief.signInWithCode(email, sale.code);
    const replaced = (await browser.post(`${base}/reissue`)).body.data.purchase;
    expect(await download()).toBe(404);
    const calls = [
      thief.get(base),
      thief.get(`${portal}/sellers/${workspaceId}/purchases`),
      thief.get(`${portal}/sellers/${workspaceId}/export`),
      thief.post(`${base}/reissue`),
    ];
    for (const { status } of await Promise.all(calls)) expect(status).toBe(401);
    expect((await readPurchase()).purchase_code).toBe(replaced.purchase_code);
    const bySeller = await callWithKey('POST', `/api/v1/purchases/${sale.id}/reissue`, {});
    expect(bySeller.statusCode).toBe(200);
    expect((await browser.get(base)).status).toBe(401);
  });

  it('a blocked purchase is shown as cancelled, and its code cannot be replaced', async () => {
    const blocked = await callWithKey('POST', `/api/v1/purchases/${sale.id}/block`, {});
    expect(blocked.statusCode).toBe(200);
    const { state, versions, updates_until } = await readPurchase();
    expect([state, updates_until]).toEqual(['cancelled', '']);
    expect(versions.map((each: { can_download: boolean }) => each.can_download)).toEqual([
      false,
      false,
      false,
    ]);
    const refused = await browser.post(`${base}/reissue`);
    expect([refused.status, refused.body.code]).toEqual([409, 'purchase_state_conflict']);
    expect((await readPurchase()).reissues_left).toBe(3);
  });

  it('a change of the e-mail by the seller ends the access of the former buyer at once', async () => {
    await owner.patch(`${owner.base}/purchases/${sale.id}`, { buyer: { email: 'new@buyers.example' } });
    expect((await browser.get(base)).body.code).toBe('purchase_not_found');
    expect((await browser.get(`${portal}/sellers/${workspaceId}/purchases`)).body.data.purchases).toEqual([]);
  });

  it('the exports of a session are limited per minute, but its reads are not', async () => {
    const statuses = [];
    for (let i = 0; i < 31; i++) {
      statuses.push((await browser.get(`${portal}/sellers/${workspaceId}/export`)).status);
    }
    expect(statuses.filter((each) => each === 200)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    expect((await browser.get(base)).status).toBe(200);
  });
});

describe('a host', () => {
  it('the buyer releases the host of a moved site, and the new host gets the seat', async () => {
    await activate('old.example');
    expect((await activate('new.example')).code).toBe('activation_limit_reached');
    const [host] = (await readPurchase()).hosts;
    const released = await browser.post(`${base}/activations/${host.id}/release`);
    expect(released.body.data.activation).toMatchObject({ id: host.id, state: 'released' });
    expect((await activate('new.example')).status).toBe('success');
    const audit = (await owner.get(`${owner.base}/audit-log?action=activation_released&limit=1`)).body.data;
    expect(audit.entries[0]).toMatchObject({ actor: { kind: 'buyer' }, address: '' });
  });

  it('the host of another purchase is not found, and stays active', async () => {
    const other = await given.purchase(workspaceId, itemId, { buyerEmail: 'third@buyers.example' });
    const body = { purchase_code: other.code, domain: 'third.example' };
    const theirs = (await callWithKey('POST', '/api/v1/activations', body)).json().data.activation.id;
    const answer = await browser.post(`${base}/activations/${theirs}/release`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'activation_not_found' } });
    const { rows } = await given.db.query(
      'select 1 from activations where workspace_id = $1 and id = $2 and released_at is null',
      [workspaceId, theirs],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('a leaked code', () => {
  it('once a code is replaced, the old code is unknown and the new one valid, in every process', async () => {
    const { config, db, clock } = given;
    const second = await buildLicensingApp({
      config,
      db,
      logger: captureLog('licensing').logger,
      migrations: await readMigrations(migrationFolders),
      readiness: { draining: false },
      now: () => clock.now,
    });
    await second.ready();
    const elsewhere = async (code: string) => {
      const payload = { api_key: key, purchase_code: code };
      const url = '/api/purchases/validation';
      return (await second.inject({ method: 'POST', url, payload })).json().code ?? 'valid';
    };
    expect([await codeOf(sale.code), await elsewhere(sale.code)]).toEqual(['valid', 'valid']);
    const answer = await browser.post(`${base}/reissue`);
    expect(answer.status).toBe(200);
    const { purchase_code: code, reissues_left: left } = answer.body.data.purchase;
    expect(code).not.toBe(sale.code);
    expect(left).toBe(2);
    expect([await codeOf(sale.code), await elsewhere(sale.code)]).toEqual([
      'purchase_not_found',
      'purchase_not_found',
    ]);
    expect([await codeOf(code), await elsewhere(code)]).toEqual(['valid', 'valid']);
    expect((await browser.signInWithCode(email, sale.code)).status).toBe(401);
    await second.close();
  });

  it('a replacement sends the seller an event and a mail, and the audit log names the buyer', async () => {
    const hook = { url: 'https://hooks.shop.example/', events: ['purchase.reissued'] };
    await owner.post(`${owner.base}/webhooks`, hook);
    await browser.post(`${base}/reissue`);
    const { rows } = await given.db.query<{ type: string; data: { purchase_id: number } }>(
      `select type, data from webhook_events
       where workspace_id = $1 and type = 'purchase.reissued' and subject = $2`,
      [workspaceId, `purchase:${sale.id}`],
    );
    expect(rows).toMatchObject([{ data: { purchase_id: Number(sale.id), state: 'active' } }]);
    expect(JSON.stringify(rows)).not.toContain(sale.code);
    const texts = await readMails(given, owner.person.email, 'code_replaced');
    expect(texts.filter((text) => text.includes(`/w/${workspaceId}/purchases/${sale.id}`))).toHaveLength(1);
    const audit = (await owner.get(`${owner.base}/audit-log?action=purchase_reissued&limit=1`)).body.data;
    expect(audit.entries[0]).toMatchObject({
      actor: { kind: 'buyer' },
      subject: { id: String(sale.id) },
      details: { reason: 'leaked' },
    });
  });

  it('a code can be replaced at most three times in 30 days, even by concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => browser.post(`${base}/reissue`)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)?.body;
    expect(refused).toMatchObject({ code: 'reissue_limit_reached', data: { limit: 3, days: 30 } });
    const start = given.clock.now;
    given.clock.now = new Date(start.getTime() + 30 * dayMs);
    const later = openBuyerBrowser(given, '10.8.250.1');
    await later.signInByMail(email);
    expect((await later.post(`${base}/reissue`)).status).toBe(200);
    given.clock.now = start;
  });

  it('a session stays valid if one of its requests replaces the code while another is checked', async () => {
    const { config, clock } = given;
    let replacement: Promise<{ status: number }> | undefined;
    /** Replaces the code directly after the first statement, which reads the session. */
    const query = async (...statement: Parameters<typeof given.db.query>) => {
      const result = await given.db.query(...statement);
      replacement ??= browser.post(`${base}/reissue`);
      await replacement;
      return result;
    };
    const db = { ...given.db, query } as typeof given.db;
    const cookie = makeBuyerCookie(config.publicUrl);
    const request = { headers: { cookie: browser.cookie } } as FastifyRequest;
    await requireBuyer({ db, masterKey: config.masterKey, now: () => clock.now, cookie })(request);
    expect(getBuyer(request)).toMatchObject({ purchaseId: sale.id });
    expect(await replacement).toMatchObject({ status: 200 });
  });

  /** Sends a request, and replaces the code directly after the service has checked the request's session. */
  async function sendDuringReplacement<T>(send: () => Promise<T>): Promise<T> {
    const { query } = given.db;
    let replacement: Answer | undefined;
    const checkThenReplace = async (...statement: Parameters<typeof query>) => {
      const result = await query(...statement);
      const [text] = statement;
      if (typeof text === 'string' && text.includes('id = $2 and code_hash = $3')) {
        Object.assign(given.db, { query });
        replacement = await browser.post(`${base}/reissue`);
      }
      return result;
    };
    Object.assign(given.db, { query: checkThenReplace });
    try {
      return await send();
    } finally {
      Object.assign(given.db, { query });
      expect(replacement?.status).toBe(200);
    }
  }

  const list = `${portal}/sellers`;
  it.each<[string, (sender: Browser, hostId: number) => Promise<Answer>]>([
    ['list', (sender) => sender.get(`${list}/${workspaceId}/purchases`)],
    ['read', (sender) => sender.get(base)],
    ['export', (sender) => sender.get(`${list}/${workspaceId}/export`)],
    ['download link', (sender) => sender.post(`${base}/download-links`, { version: '1.0.0' })],
    ['release', (sender, hostId) => sender.post(`${base}/activations/${hostId}/release`)],
  ])('%s: a new code after the check of the session ends only other sessions', async (_name, send) => {
    const hostId = (await activate('old.example')).data.activation.id;
    const thief = openBuyerBrowser(given, `10.9.${buyers}.1`);
    await thief.signInWithCode(email, sale.code);
    const refused = await sendDuringReplacement(() => send(thief, hostId));
    const { id, purchase_code: code } = await readPurchase();
    expect(refused.text).not.toContain(code);
    if (refused.status === 200) expect(refused.body.data.purchases).toEqual([]);
    else expect(refused).toMatchObject({ status: 404, body: { code: 'purchase_not_found' } });
    const allowed = await sendDuringReplacement(() => send(browser, hostId));
    expect(allowed.status).toBe(200);
    if (allowed.body.data.purchases) expect(allowed.body.data.purchases).toMatchObject([{ id }]);
  });

  it('a refunded purchase gets no new code, and the seller gets no mail', async () => {
    await owner.post(`${owner.base}/purchases/${sale.id}/refund`);
    const answer = await browser.post(`${base}/reissue`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'purchase_state_conflict' } });
    const texts = await readMails(given, owner.person.email, 'code_replaced');
    expect(texts.filter((text) => text.includes(`/purchases/${sale.id}`))).toEqual([]);
  });
});

describe('a download', () => {
  it('a buyer downloads an included version, but none released after the end of support', async () => {
    const link = await browser.post(`${base}/download-links`, { version: '1.1.0' });
    expect(link.status).toBe(200);
    const file = await given.app.inject(new URL(link.body.data.url).pathname);
    expect(file.body).toBe('file of 1.1.0');
    await given.db.query(`update purchases set supported_until = $3 where workspace_id = $1 and id = $2`, [
      workspaceId,
      sale.id,
      new Date(given.clock.now.getTime() - dayMs),
    ]);
    const { versions } = await readPurchase();
    expect(versions.map((each: { can_download: boolean }) => each.can_download)).toEqual([
      false,
      false,
      false,
    ]);
    const refused = await browser.post(`${base}/download-links`, { version: '2.0.0' });
    const missing = await browser.post(`${base}/download-links`, { version: '8.0.0' });
    expect(refused).toMatchObject({ status: 404, body: { code: 'version_not_found' } });
    expect({ ...refused.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
  });

  it('a refunded purchase has no downloads', async () => {
    await owner.post(`${owner.base}/purchases/${sale.id}/refund`);
    const { versions } = await readPurchase();
    expect(versions.some((each: { can_download: boolean }) => each.can_download)).toBe(false);
    const link = await browser.post(`${base}/download-links`, { version: '1.0.0' });
    expect(link).toMatchObject({ status: 409, body: { code: 'purchase_state_conflict' } });
  });
});

describe('an export', () => {
  it('the export contains all data of the buyer in the workspace, and no data of others', async () => {
    const other = await given.purchase(workspaceId, itemId, { buyerEmail: 'fourth@buyers.example' });
    const more = await given.purchase(workspaceId, itemId, { buyerEmail: email });
    await activate('shop.example');
    await browser.post(`${base}/reissue`);
    const whole = openBuyerBrowser(given, '10.8.251.1');
    await whole.signInByMail(email);
    const { status, body, text } = await whole.get(`${portal}/sellers/${workspaceId}/export`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ seller: 'Paperlane', email });
    const [newest, first] = body.data.purchases;
    expect(newest.id).toBe(Number(more.id));
    expect(first).toMatchObject({
      id: Number(sale.id),
      item_name: 'Typewriter',
      buyer: { name: 'Ada', email },
      hosts: [{ target: 'shop.example' }],
    });
    expect(first.codes_replaced_at).toHaveLength(1);
    expect(body.data.sessions.length).toBeGreaterThan(1);
    expect(text).not.toContain(other.code);
    expect(text).not.toContain('fourth@buyers.example');
    const limited = await browser.get(`${portal}/sellers/${workspaceId}/export`);
    expect(limited.body.data.purchases.map((each: { id: number }) => each.id)).toEqual([Number(sale.id)]);
  });
});
