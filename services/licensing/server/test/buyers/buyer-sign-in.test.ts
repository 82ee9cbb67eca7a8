// Buyers sign in with a link by mail or with a code; nothing reveals whether an address is known.
import { beforeAll, describe, expect, it } from 'vitest';
import { openBuyerBrowser, portal, readMails, waitForLink } from '../environment/buyer-browser.ts';
import { givenLicensing, setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing({ DEMO: 'on' });
let workspaceId: bigint;
let itemId: bigint;
let addresses = 0;
/** Every test uses its own network, because requests are limited per network. */
const open = () => openBuyerBrowser(given, `10.9.${++addresses}.1`);
let buyers = 0;
const newEmail = () => `Sign-In-${++buyers}@Buyers.example`;
const minuteMs = 60_000;
const advance = (ms: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + ms);
};

beforeAll(async () => {
  workspaceId = await given.workspace({ name: 'Paperlane' });
  itemId = await given.item(workspaceId);
});

const givenBuyer = async () => {
  const buyerEmail = newEmail();
  const { id, code } = await given.purchase(workspaceId, itemId, { buyerEmail });
  return { id, code, email: buyerEmail.toLowerCase() };
};

describe('a link by mail', () => {
  it('known and unknown addresses get the same answer, and only a known address gets a mail', async () => {
    const { email } = await givenBuyer();
    const stranger = 'stranger@nowhere.example';
    const browser = open();
    const unknown = await browser.post(`${portal}/links`, { email: stranger });
    const known = await browser.post(`${portal}/links`, { email: email.toUpperCase() });
    expect([unknown.status, known.status]).toEqual([202, 202]);
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...known.body, request_id: '' });
    // The search for the unknown address was requested first, so it has ended when this link is mailed.
    expect(await waitForLink(given, email)).toMatch(/^cfb_/);
    expect(await readMails(given, stranger, 'buyer_link')).toEqual([]);
  });

  it('a link works once, and its token and the session token are stored only as hashes', async () => {
    const { email, id } = await givenBuyer();
    const browser = open();
    await browser.post(`${portal}/links`, { email });
    const token = await waitForLink(given, email);
    const tries = [open(), open(), open()];
    const answers = await Promise.all(tries.map((each) => each.post(`${portal}/links/redeem`, { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(answers.find(({ status }) => status === 404)?.body.code).toBe('link_invalid');
    const winner = tries.find(({ cookie }) => cookie !== '');
    const me = await winner?.get(`${portal}/session`);
    const sellers = [{ seller_id: Number(workspaceId), name: 'Paperlane' }];
    expect(me?.body.data).toMatchObject({ email, whole: true, sellers });
    const list = await winner?.get(`${portal}/sellers/${workspaceId}/purchases`);
    expect(list?.body.data.purchases.map((each: { id: number }) => each.id)).toEqual([Number(id)]);
    const { rows } = await given.db.query<{ row: string }>('select t::text as row from buyer_tokens t');
    const stored = rows.map(({ row }) => row).join();
    expect(stored).not.toContain(token);
    expect(stored).not.toContain('cfp_');
    const session = winner?.cookie.split('=')[1] ?? '';
    expect(session).toMatch(/^cfp_/);
    const log = given.logLines.join();
    expect([log.includes(token), log.includes(session)]).toEqual([false, false]);
  });

  it('a link works until 30 minutes have passed, and a session until 12 hours have passed', async () => {
    const { email } = await givenBuyer();
    const browser = open();
    const start = given.clock.now;
    const askForLink = async (count: number) => {
      await browser.post(`${portal}/links`, { email });
      return await waitForLink(given, email, count);
    };
    const late = await askForLink(1);
    advance(30 * minuteMs);
    expect((await browser.post(`${portal}/links/redeem`, { token: late })).body.code).toBe('link_invalid');
    const early = await askForLink(2);
    advance(30 * minuteMs - 1);
    expect((await browser.post(`${portal}/links/redeem`, { token: early })).status).toBe(200);
    advance(12 * 60 * minuteMs - 1);
    expect((await browser.get(`${portal}/session`)).status).toBe(200);
    advance(1);
    expect((await browser.get(`${portal}/session`)).body.code).toBe('not_signed_in');
    given.clock.now = start;
  });

  it('requests for links are limited per network, equally for known and unknown addresses', async () => {
    const { email } = await givenBuyer();
    for (const wanted of [email, 'unknown@limit.example']) {
      const browser = open();
      const answers = [];
      for (let i = 0; i < 6; i++) answers.push(await browser.post(`${portal}/links`, { email: wanted }));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    }
    const browser = open();
    const statuses = new Set<number>();
    for (let i = 0; i < 21; i++) {
      statuses.add((await browser.post(`${portal}/links`, { email: `many-${i}@limit.example` })).status);
    }
    expect([...statuses]).toEqual([202, 429]);
  });

  it('a link opens the purchases of the e-mail at all sellers, but no other workspace', async () => {
    const { email } = await givenBuyer();
    const second = await given.workspace({ name: 'Inkwell' });
    await given.purchase(second, await given.item(second), { buyerEmail: email });
    const third = await given.workspace({ name: 'Not mine' });
    const browser = open();
    expect((await browser.signInByMail(email)).status).toBe(200);
    const { sellers } = (await browser.get(`${portal}/session`)).body.data;
    expect(sellers.map((each: { name: string }) => each.name)).toEqual(['Inkwell', 'Paperlane']);
    const missing = await browser.get(`${portal}/sellers/999999/purchases`);
    const foreign = await browser.get(`${portal}/sellers/${third}/purchases`);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
  });

  it('if the service sends no mail, it refuses links for every address and offers only codes', async () => {
    const without = await givenLicensing();
    const browser = openBuyerBrowser(without);
    expect((await browser.get(`${portal}/options`)).body.data).toEqual({ links: false });
    const answer = await browser.post(`${portal}/links`, { email: 'a@b.example' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'mail_off' } });
    await without.close();
    expect((await open().get(`${portal}/options`)).body.data).toEqual({ links: true });
  });
});

describe('an e-mail and a purchase code', () => {
  it('the session shows only the purchase of the code', async () => {
    const { email, code, id } = await givenBuyer();
    const other = await given.purchase(workspaceId, itemId, { buyerEmail: email });
    const browser = open();
    expect((await browser.signInWithCode(email.toUpperCase(), ` ${code.toUpperCase()}`)).status).toBe(200);
    expect((await browser.get(`${portal}/session`)).body.data.whole).toBe(false);
    const base = `${portal}/sellers/${workspaceId}/purchases`;
    const list = (await browser.get(base)).body.data.purchases;
    expect(list.map((each: { id: number }) => each.id)).toEqual([Number(id)]);
    expect((await browser.get(`${base}/${id}`)).body.data.purchase.purchase_code).toBe(code);
    expect((await browser.get(`${base}/${other.id}`)).body.code).toBe('purchase_not_found');
  });

  it('a wrong e-mail or code, or a code of another buyer, gets the same answer, and is limited', async () => {
    const mine = await givenBuyer();
    const other = await givenBuyer();
    const browser = open();
    const answers = [
      await browser.signInWithCode(mine.email, other.code),
      await browser.signInWithCode('nobody@x.example', mine.code),
      await browser.signInWithCode(mine.email, 'no such code'),
    ];
    for (const { status, body } of answers) {
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'buyer_sign_in_failed' });
      expect({ ...body, request_id: '' }).toEqual({ ...answers[0]?.body, request_id: '' });
    }
    for (let i = 0; i < 8; i++) await browser.signInWithCode(mine.email, `guess ${i}`);
    expect((await browser.signInWithCode(mine.email, mine.code)).status).toBe(429);
    // Another network is not limited, so a stranger cannot lock the buyer out.
    expect((await open().signInWithCode(mine.email, mine.code)).status).toBe(200);
  });

  it('the code of a purchase without an e-mail or of an erased buyer opens no session', async () => {
    const nameless = await given.purchase(workspaceId, itemId);
    expect((await open().signInWithCode('a@b.example', nameless.code)).status).toBe(401);
    const { email, code } = await givenBuyer();
    const browser = open();
    await browser.signInWithCode(email, code);
    const owner = await givenSignedIn(given, workspaceId);
    await owner.post(`${owner.base}/buyers/erase`, { email });
    expect((await browser.get(`${portal}/session`)).status).toBe(401);
    expect((await open().signInWithCode(email, code)).status).toBe(401);
  });
});

describe('the session', () => {
  it('each sign-in makes a session and ends the previous session; a sign-out ends the session', async () => {
    const { email, code } = await givenBuyer();
    const browser = open();
    const planted = `counterfoil_buyer=cfp_${'A'.repeat(43)}`;
    browser.cookie = planted;
    await browser.signInWithCode(email, code);
    const first = browser.cookie;
    expect(first).not.toBe(planted);
    await browser.signInWithCode(email, code);
    const second = browser.cookie;
    browser.cookie = first;
    expect((await browser.get(`${portal}/session`)).status).toBe(401);
    browser.cookie = second;
    await browser.delete(`${portal}/session`);
    browser.cookie = second;
    expect((await browser.get(`${portal}/session`)).status).toBe(401);
  });

  it('the cookie is HttpOnly and SameSite=Lax, and Secure with a host prefix over https', async () => {
    const { email, code } = await givenBuyer();
    const signIn = (service: typeof given, origin: string, body: object) =>
      service.app.inject({
        method: 'POST',
        url: `${portal}/session`,
        headers: { origin },
        payload: body,
      });
    const plain = await signIn(given, 'http://127.0.0.1:4100', { email, purchase_code: code });
    expect(plain.headers['set-cookie']).toMatch(
      /^counterfoil_buyer=cfp_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const secure = await givenLicensing({ LICENSING_PUBLIC_URL: 'https://shop.example' });
    const workspace = await secure.workspace();
    const sale = await secure.purchase(workspace, await secure.item(workspace), { buyerEmail: email });
    const answer = await signIn(secure, 'https://shop.example', { email, purchase_code: sale.code });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-counterfoil_buyer=.*; HttpOnly; Secure; SameSite/);
    await secure.close();
  });

  it('a request of another site is refused and changes nothing', async () => {
    const { email, code } = await givenBuyer();
    const answer = await given.app.inject({
      method: 'POST',
      url: `${portal}/session`,
      headers: { origin: 'https://evil.example' },
      payload: { email, purchase_code: code },
    });
    expect(answer.json().code).toBe('cross_site_refused');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('a session of a buyer opens no route of sellers, and the other way round', async () => {
    const { email, code } = await givenBuyer();
    const buyer = open();
    await buyer.signInWithCode(email, code);
    const owner = await givenSignedIn(given, workspaceId);
    expect((await buyer.get('/panel/session')).body.code).toBe('not_signed_in');
    expect((await buyer.get(`${owner.base}/purchases`)).body.code).toBe('not_signed_in');
    expect((await buyer.get('/api/v1/purchases')).body.code).toBe('api_key_missing');
    expect((await owner.get(`${portal}/sellers/${workspaceId}/purchases`)).body.code).toBe('not_signed_in');
    // The token of a buyer is no session of a seller either.
    const token = buyer.cookie.split('=')[1];
    buyer.cookie = `counterfoil_licensing=${token}`;
    expect((await buyer.get('/panel/session')).body.code).toBe('not_signed_in');
    owner.cookie = owner.cookie.replace('counterfoil_licensing', 'counterfoil_buyer');
    expect((await owner.get(`${portal}/session`)).body.code).toBe('not_signed_in');
  });

  it('malformed requests are refused with a 4xx and the field at fault', async () => {
    const wrong: [string, object, string][] = [
      ['links', { email: 'no address' }, 'email'],
      ['links', { email: 'a@b.example', seller_id: 0 }, 'seller_id'],
      ['links', { email: 'a@b.example', more: 1 }, 'more'],
      ['links', {}, 'email'],
      ['links/redeem', { token: '' }, 'token'],
      ['links/redeem', { token: 'x'.repeat(101) }, 'token'],
      ['session', { email: 'a@b.example', purchase_code: ' ' }, 'purchase_code'],
      ['session', { email: 'a@b.example', purchase_code: 'a\u0000b' }, 'purchase_code'],
    ];
    for (const [path, body, field] of wrong) {
      const answer = await open().post(`${portal}/${path}`, body);
      expect([path, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([path, 400, [field]]);
    }
    for (const token of ['cfb_x', `cfb_${'A'.repeat(43)}`, 'cfl_\u0000']) {
      const answer = await open().post(`${portal}/links/redeem`, { token });
      expect(answer.body.code).toBe('link_invalid');
    }
  });
});
