// Buyers get a mail before their support ends, if the workspace wants it, and can unsubscribe.
import { mailerOf, sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import { openSmtpReceiver, readText, type SmtpReceiver } from '@counterfoil/mail/testing/smtp-receiver';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mailSupportEndings } from '../../src/purchases/management/mail-support-endings.ts';
import { openBuyerBrowser, portal } from '../environment/buyer-browser.ts';
import { auditActions } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { type Browser, givenSignedIn } from '../environment/panel-browser.ts';

let given: Given;
let receiver: SmtpReceiver;
let workspaceId: bigint;
let itemId: bigint;
let owner: Browser & { base: string };
let buyers = 0;
const newEmail = () => `buyer-${++buyers}@mailed.example`;
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(given.clock.now.getTime() + days * dayMs);

beforeAll(async () => {
  receiver = await openSmtpReceiver();
  given = await givenLicensing({
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'mail@licensing.example',
    MAIL_PER_ADDRESS_HOUR: '2',
  });
});
afterAll(async () => {
  await given.close();
  await receiver.close();
});

beforeEach(async () => {
  workspaceId = await given.workspace({ name: 'Paperlane' });
  itemId = await given.item(workspaceId, { name: 'Slider' });
  owner = await givenSignedIn(given, workspaceId);
});

const choose = async (buyer_support_mail: string) =>
  expect((await owner.patch(owner.base, { buyer_support_mail })).status).toBe(200);

/** Sells with support that ends in three days. */
const sell = (buyerEmail: string, more: object = {}) =>
  given.purchase(workspaceId, itemId, { supportedUntil: inDays(3), buyerEmail, ...more });

const act = async (id: bigint, verb: string, body?: object) => {
  const { status, text } = await owner.post(`${owner.base}/purchases/${id}/${verb}`, body);
  expect(status, text).toBe(200);
};

/** Does the hourly work, sends all mail, and returns the texts of the messages to the address. */
async function run(email: string): Promise<string[]> {
  const { db, clock, config } = given;
  const { masterKey } = config;
  await mailSupportEndings({ db, masterKey, mailer: mailerOf(given), now: () => clock.now });
  await sendAllMail(given);
  return receiver.taken.filter((mail) => mail.to === email).map(readText);
}

const tokenOf = (mail = '') => /\/buyers#unsubscribe=(cfu_[\w-]{86})/.exec(mail)?.[1] ?? '';
const unsubscribe = (token: string) => openBuyerBrowser(given).post(`${portal}/unsubscribe`, { token });

it('a buyer gets one mail for each end of support, in the language that the seller chose', async () => {
  const email = newEmail();
  const { id, code } = await sell(email.toUpperCase());
  expect(await run(email)).toEqual([]);
  await choose('en');
  const [mail = ''] = await run(email);
  expect(mail).toContain('Subject: Your support for Slider ends soon');
  expect(mail).toContain('Your support for Slider from Paperlane ends on 7 May 2026.');
  expect(mail).toContain(`/buyers?seller=${workspaceId}`);
  expect(mail).not.toContain(code);
  expect(await run(email)).toHaveLength(1);
  await act(id, 'support', { supported_until: inDays(6).toISOString() });
  await choose('de');
  const [, second = ''] = await run(email);
  expect(second).toContain('Ihr Support für Slider von Paperlane endet am 10. Mai 2026.');
  expect(tokenOf(second)).toBe(tokenOf(mail));
});

it('no mail is sent for inactive or blocked purchases, or for purchases without an e-mail', async () => {
  await choose('en');
  const email = newEmail();
  const sold = [];
  for (let i = 0; i < 4; i++) sold.push((await sell(email)).id);
  const [refunded = 0n, disputed = 0n, cancelled = 0n, blocked = 0n] = sold;
  await act(refunded, 'refund');
  await act(disputed, 'dispute');
  await act(cancelled, 'cancel');
  await act(blocked, 'block');
  await sell(email, { supportedUntil: inDays(30) });
  await sell(email, { supportedUntil: inDays(-1) });
  await given.purchase(workspaceId, itemId, { supportedUntil: inDays(3) });
  expect(await run(email)).toEqual([]);
  await act(blocked, 'unblock');
  expect(await run(email)).toHaveLength(1);
});

it('if support is switched off in the workspace, buyers get no mail', async () => {
  await choose('en');
  await owner.patch(owner.base, { support_enabled: false });
  const email = newEmail();
  await sell(email);
  expect(await run(email)).toEqual([]);
});

it('mails above the hourly limit of an e-mail address are sent by a later run', async () => {
  await choose('en');
  const email = newEmail();
  for (let i = 0; i < 3; i++) await sell(email);
  expect(await run(email)).toHaveLength(2);
  given.clock.now = new Date(given.clock.now.getTime() + 3_600_001);
  expect(await run(email)).toHaveLength(3);
  expect(await run(email)).toHaveLength(3);
});

it('a buyer with many purchases does not hold back the mails to other buyers', async () => {
  await choose('en');
  const email = newEmail();
  const { id } = await sell(email);
  // More purchases than one run reads.
  await given.db.query(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, purchased_at, supported_until, buyer_email)
     select workspace_id, sha256(n::text::bytea), code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, purchased_at, supported_until, buyer_email
     from purchases, generate_series(1, 1100) as n where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  const other = newEmail();
  await sell(other);
  expect(await run(email)).toHaveLength(2);
  expect(await run(other)).toHaveLength(1);
});

it('the link of a mail unsubscribes from one purchase without a sign-in; a repeat succeeds too', async () => {
  await choose('en');
  const email = newEmail();
  const [first, second] = [await sell(email), await sell(email)];
  const token = tokenOf((await run(email))[0]);
  for (let i = 0; i < 2; i++) {
    const { status, body } = await unsubscribe(token);
    expect([status, body.data]).toEqual([200, { unsubscribed: true }]);
  }
  const actions = await auditActions(given, workspaceId);
  expect(actions.filter((each) => each === 'purchase_mail_stopped')).toHaveLength(1);
  given.clock.now = new Date(given.clock.now.getTime() + 3_600_001);
  for (const { id } of [first, second])
    await act(id, 'support', { supported_until: inDays(5).toISOString() });
  expect(await run(email)).toHaveLength(3);
  for (const secret of [token, email]) expect(given.logLines.join()).not.toContain(secret);
});

it('forged and changed tokens, and the token of a former buyer, are refused alike', async () => {
  await choose('en');
  const email = newEmail();
  const { id } = await sell(email);
  const token = tokenOf((await run(email))[0]);
  const end = token.at(-1) === 'A' ? 'B' : 'A';
  const other = newEmail();
  await owner.patch(`${owner.base}/purchases/${id}`, { buyer: { email: other } });
  const forged = ['x', `cfu_${'A'.repeat(86)}`, `${token.slice(0, -1)}${end}`, token, 'cfu_\u0000'];
  for (const wrong of forged) {
    const { status, body } = await unsubscribe(wrong);
    expect([status, body.code], wrong).toEqual([404, 'link_invalid']);
  }
  for (const body of [{}, { token: '' }, { token: 'x'.repeat(101) }, { token: 5 }]) {
    const answer = await openBuyerBrowser(given).post(`${portal}/unsubscribe`, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['token']]);
  }
});

it('a new buyer of the purchase gets mails although the former buyer had unsubscribed', async () => {
  await choose('en');
  const [email, other] = [newEmail(), newEmail()];
  const { id } = await sell(email);
  await unsubscribe(tokenOf((await run(email))[0]));
  const later = { supported_until: inDays(6).toISOString() };
  await act(id, 'support', later);
  expect(await run(email)).toHaveLength(1);
  await owner.patch(`${owner.base}/purchases/${id}`, { buyer: { email: other } });
  expect(await run(other)).toHaveLength(1);
});

it('an export has the time of the unsubscription; an erasure deletes the queued messages', async () => {
  await choose('en');
  const email = newEmail();
  const { code } = await sell(email);
  await unsubscribe(tokenOf((await run(email))[0]));
  const browser = openBuyerBrowser(given);
  await browser.signInWithCode(email, code);
  const { body } = await browser.get(`${portal}/sellers/${workspaceId}/export`);
  const stopped = given.clock.now.toISOString().replace(/\.\d+/, '');
  expect(body.data.purchases).toMatchObject([{ mail_stopped_at: stopped }]);
  const { rows } = await given.db.query('select 1 from mail_outbox where recipient = $1', [email]);
  expect(rows).toHaveLength(1);
  await owner.post(`${owner.base}/buyers/erase`, { email });
  const after = await given.db.query('select 1 from mail_outbox where recipient = $1', [email]);
  expect(after.rows).toEqual([]);
});
