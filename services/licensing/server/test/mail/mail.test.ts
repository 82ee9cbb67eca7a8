// Licensing sends mail to invited people and to owners; owners see the dead letters of their workspace only.
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { startWebhookDispatcher } from '@counterfoil/licensing-server/webhook-dispatcher';
import { mailerOf, sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import {
  openSmtpReceiver,
  readLink,
  readText,
  type SmtpReceiver,
  SmtpRefusal,
} from '@counterfoil/mail/testing/smtp-receiver';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailSupportEndings } from '../../src/purchases/management/mail-support-endings.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn, openBrowser } from '../environment/panel-browser.ts';

let given: Given;
let receiver: SmtpReceiver;
beforeAll(async () => {
  receiver = await openSmtpReceiver();
  given = await givenLicensing({
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'mail@licensing.example',
    WEBHOOK_LOCAL_ADDRESSES: 'on',
  });
});
afterAll(async () => {
  await given.close();
  await receiver.close();
});

const takenBy = (to: string) => receiver.taken.filter((mail) => mail.to === to);

it('an owner can list and resend only the dead letters of their own workspace', async () => {
  const own = await givenSignedIn(given, await given.workspace());
  const other = await givenSignedIn(given, await given.workspace());
  const workspaceId = BigInt(own.base.split('/').at(-1) ?? 0);
  const member = await givenSignedIn(given, workspaceId, 'member');
  const to = 'refused@licensing-mail.example';
  await own.post(`${own.base}/invitations`, { email: to, role: 'member' });
  receiver.onRecipient = () => {
    throw new SmtpRefusal(550);
  };
  await sendAllMail(given);
  receiver.onRecipient = () => {};
  const [dead] = (await own.get(`${own.base}/mail`)).body.data.messages;
  expect(dead).toMatchObject({ recipient: to, kind: 'invitation', state: 'failed' });
  expect((await other.get(`${other.base}/mail`)).body.data.messages).toEqual([]);
  const foreign = await other.post(`${other.base}/mail/${dead.id}/resend`);
  const missing = await other.post(`${other.base}/mail/999999/resend`);
  expect({ ...foreign.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' });
  expect(foreign.body.code).toBe('mail_not_found');
  expect((await member.get(`${own.base}/mail`)).status).toBe(403);
  expect((await own.post(`${own.base}/mail/${dead.id}/resend`)).status).toBe(200);
  await sendAllMail(given);
  expect(takenBy(to).map(readLink)[0]).toContain('/welcome#token=');
});

it('owners get one mail about all purchases whose support ends within seven days', async () => {
  const workspaceId = await given.workspace();
  const { person } = await givenSignedIn(given, workspaceId);
  const item = await given.item(workspaceId);
  const inDays = (days: number) => new Date(given.clock.now.getTime() + days * 86_400_000);
  for (const days of [3, 5, 30]) await given.purchase(workspaceId, item, { supportedUntil: inDays(days) });
  const { db, clock } = given;
  const { masterKey } = given.config;
  const run = async () => {
    await mailSupportEndings({ db, masterKey, mailer: mailerOf(given), now: () => clock.now });
    await sendAllMail(given);
    return takenBy(person.email).map(readText);
  };
  const [mail = ''] = await run();
  expect(mail).toContain('The support of 2 purchases');
  expect(await run()).toHaveLength(1);
});

it('the mail about ending support leaves out blocked purchases until they are unblocked', async () => {
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  const item = await given.item(workspaceId);
  const supportedUntil = new Date(given.clock.now.getTime() + 3 * 86_400_000);
  const { id } = await given.purchase(workspaceId, item, { supportedUntil });
  const { db, clock } = given;
  const { masterKey } = given.config;
  const run = async () => {
    await mailSupportEndings({ db, masterKey, mailer: mailerOf(given), now: () => clock.now });
    await sendAllMail(given);
    return takenBy(owner.person.email);
  };
  expect((await owner.post(`${owner.base}/purchases/${id}/block`)).status).toBe(200);
  expect(await run()).toEqual([]);
  await owner.post(`${owner.base}/purchases/${id}/unblock`);
  expect(await run()).toHaveLength(1);
});

it('owners get a mail with the host of a webhook endpoint that was disabled after a 410', async () => {
  // The receiver refuses old signatures.
  given.clock.now = new Date();
  const workspaceId = await given.workspace({ name: 'Paperlane' });
  const owner = await givenSignedIn(given, workspaceId);
  const member = await givenSignedIn(given, workspaceId, 'member');
  const hooks = await openReceiver();
  hooks.answer = () => 410;
  const url = `${hooks.url}?secret=canary`;
  const made = await owner.post(`${owner.base}/webhooks`, { url, events: ['purchase.issued'] });
  hooks.secret = made.body.data.secret;
  await given.purchase(workspaceId, await given.item(workspaceId));
  const { db, clock } = given;
  const { masterKey, webhooks: settings } = given.config;
  const sender = createSender(createAddressGuard({ allowLocal: true }));
  const { logger } = captureLog('licensing');
  const deps = { db, masterKey, settings, logger, sender, registry: createMetrics('licensing'), pauseMs: 20 };
  const dispatcher = startWebhookDispatcher({ ...deps, mailer: mailerOf(given), now: () => clock.now });
  const mails = async () => {
    await sendAllMail(given);
    return takenBy(owner.person.email).map(readText);
  };
  await expect.poll(mails).toHaveLength(1);
  await dispatcher.stop();
  await sender.close();
  await hooks.close();
  const [mail = ''] = await mails();
  expect(mail).toContain(`The webhook endpoint at ${new URL(url).host} answered 410 (gone), so Paperlane`);
  expect(mail).toContain(`/w/${workspaceId}/settings/webhooks/`);
  expect(mail).not.toContain('canary');
  expect(takenBy(member.person.email)).toEqual([]);
});

it('a forgotten password is reset with the link of a mail', async () => {
  const { person } = await givenSignedIn(given, await given.workspace());
  const browser = openBrowser(given);
  expect((await browser.post('/panel/password-resets', { email: person.email })).status).toBe(200);
  const links = async () => {
    await sendAllMail(given);
    return takenBy(person.email).map(readLink);
  };
  await expect.poll(links).toHaveLength(1);
  const [link = ''] = await links();
  const password = 'another long password';
  const fresh = { token: link.split('#token=')[1], password };
  expect((await browser.post('/panel/links/redeem', fresh)).status).toBe(200);
  expect((await browser.post('/panel/session', { email: person.email, password })).status).toBe(200);
});
