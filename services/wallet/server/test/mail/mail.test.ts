// The wallet sends invitations, password resets and credit alerts by mail; administrators see dead letters.
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { mailerOf, sendAllMail } from '@counterfoil/mail/testing/send-all-mail';
import {
  openSmtpReceiver,
  readLink,
  readText,
  type SmtpReceiver,
  SmtpRefusal,
} from '@counterfoil/mail/testing/smtp-receiver';
import { mailCreditAlerts } from '@counterfoil/wallet-server/mail/mail-credit-alerts';
import { startWebhookDispatcher } from '@counterfoil/wallet-server/webhooks/webhooks';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import { giveAdministrator, giveMember, password, type Send } from '../environment/people.ts';

let given: Given;
let receiver: SmtpReceiver;
let administrator: Send;
beforeAll(async () => {
  receiver = await openSmtpReceiver();
  given = await givenWallet({
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'mail@wallet.example',
    WEBHOOK_LOCAL_ADDRESSES: 'on',
  });
  administrator = (await giveAdministrator(given)).send;
});
afterAll(async () => {
  await given.close();
  await receiver.close();
});
afterEach(() => {
  receiver.onRecipient = () => {};
});

const takenBy = (to: string) => receiver.taken.filter((mail) => mail.to === to);

const post = async (url: string, payload: object, from = '10.8.8.8') => {
  const headers = { origin: given.config.publicUrl, 'accept-language': 'de' };
  const answer = await given.app.inject({ method: 'POST', url, headers, payload, remoteAddress: from });
  return { status: answer.statusCode, body: answer.json() };
};

describe('an invitation', () => {
  it('an invitation arrives by mail, and its link works', async () => {
    const owned = await given.package();
    const owner = await giveMember(given, owned, 'owner');
    const to = 'guest@wallet-mail.example';
    const invited = { email: to, role: 'member' };
    const made = await owner.send('POST', `/panel/packages/${owned.id}/invitations`, invited);
    expect(made.body.data.mail).toBe('queued');
    await sendAllMail(given);
    const [mail] = takenBy(to);
    if (!mail) throw new Error('no mail arrived');
    expect(readLink(mail)).toBe(made.body.data.url);
    expect(readText(mail)).toContain(owner.email);
    const token = readLink(mail).split('#token=')[1];
    const newcomer = { token, name: 'Grace Hopper', password: 'a new and long password' };
    expect((await post('/panel/links/redeem', newcomer)).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  const forget = (email: string, from?: string) => post('/panel/password-resets', { email }, from);

  it('a link in a mail resets the password once, and ends all sessions; the mail is in German', async () => {
    const owned = await given.package();
    const owner = await giveMember(given, owned, 'owner');
    expect((await forget(owner.email)).status).toBe(200);
    const mail = await eventually(async () => {
      await sendAllMail(given);
      const [first] = takenBy(owner.email);
      if (!first) throw new Error('no mail yet');
      return first;
    });
    expect(readText(mail)).toContain('Neues Passwort wählen');
    const fresh = { token: readLink(mail).split('#token=')[1], password: 'another long password' };
    expect((await post('/panel/links/redeem', fresh)).status).toBe(200);
    expect((await owner.send('GET', '/panel/session')).status).toBe(401);
    expect((await post('/panel/links/redeem', fresh)).body.code).toBe('link_invalid');
    const signIn = { email: owner.email, password: fresh.password };
    expect((await post('/panel/session', signIn)).status).toBe(200);
    expect((await post('/panel/session', { ...signIn, password })).status).toBe(401);
  });

  it('unknown and known e-mail addresses get the same answer; requests are limited per network', async () => {
    const owner = await giveMember(given, await given.package(), 'owner');
    const from = '10.8.9.9';
    const known = await forget(owner.email, from);
    const unknown = await forget('nobody@wallet-mail.example', from);
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...known.body, request_id: '' });
    const later = await Promise.all(Array.from({ length: 19 }, () => forget('x@y.example', from)));
    expect(later.filter(({ status }) => status === 429)).toHaveLength(1);
    await eventually(async () => {
      await sendAllMail(given);
      expect(takenBy(owner.email)).toHaveLength(1);
    });
    expect(takenBy('nobody@wallet-mail.example')).toEqual([]);
  });
});

describe('undelivered messages', () => {
  it('only administrators can list undelivered messages and send a dead letter again', async () => {
    const owned = await given.package();
    const owner = await giveMember(given, owned, 'owner');
    const to = 'refused@wallet-mail.example';
    await owner.send('POST', `/panel/packages/${owned.id}/invitations`, { email: to, role: 'member' });
    receiver.onRecipient = () => {
      throw new SmtpRefusal(550);
    };
    await sendAllMail(given);
    const listed = await administrator('GET', '/panel/admin/mail');
    expect(listed.body.data.mode).toBe('smtp');
    expect(listed.text).not.toContain('cfl_');
    const dead = listed.body.data.messages.find((mail: { recipient: string }) => mail.recipient === to);
    expect(dead).toMatchObject({ state: 'failed', error: 'rejected', smtp_status: 550, can_resend: true });
    expect((await owner.send('GET', '/panel/admin/mail')).status).toBe(403);
    expect((await owner.send('POST', `/panel/admin/mail/${dead.id}/resend`)).status).toBe(403);
    receiver.onRecipient = () => {};
    expect((await administrator('POST', `/panel/admin/mail/${dead.id}/resend`)).status).toBe(200);
    await sendAllMail(given);
    expect(takenBy(to)).toHaveLength(1);
    const again = await administrator('POST', `/panel/admin/mail/${dead.id}/resend`);
    expect(again.body.code).toBe('mail_not_found');
    const audit = await administrator('GET', '/panel/admin/audit-log?action=mail_resent');
    expect(audit.body.data.entries).toHaveLength(1);
  });
});

describe('credit alerts', () => {
  it('credit alerts reach the owners once each time the level gets worse', async () => {
    const owned = await given.package({ credit: '100.00', alertThreshold: 4000n });
    const owner = await giveMember(given, owned, 'owner');
    const member = await giveMember(given, owned, 'member');
    const check = async () => {
      await mailCreditAlerts({ db: given.db, mailer: mailerOf(given) });
      await sendAllMail(given);
      return takenBy(owner.email).map(readText);
    };
    expect(await check()).toEqual([]);
    await given.player(owned, { playerId: 'p1', balance: '70.00' });
    const [low] = await check();
    expect(low).toContain('is low: 30.00 EUR left');
    expect(await check()).toHaveLength(1);
    await given.player(owned, { playerId: 'p2', balance: '30.00' });
    expect((await check())[1]).toContain('is used up: 0.00 EUR left');
    expect(takenBy(member.email)).toEqual([]);
  });
});

describe('disabled webhook endpoints', () => {
  it('owners get a mail with the host of an endpoint that was disabled after a 410', async () => {
    // The receiver refuses old signatures, so the clock is set to the real time.
    given.clock.now = new Date();
    const owned = await given.package();
    const owner = await giveMember(given, owned, 'owner');
    const hooks = await openReceiver();
    hooks.answer = () => 410;
    const url = `${hooks.url}?secret=canary`;
    const path = `/panel/packages/${owned.id}`;
    const made = await owner.send('POST', `${path}/webhooks`, { url, events: ['package.suspended'] });
    hooks.secret = made.body.data.secret;
    const suspender = await giveAdministrator(given);
    await suspender.send('POST', `/panel/admin/packages/${owned.id}/suspend`);
    const { db, clock } = given;
    const { masterKey, webhooks: settings } = given.config;
    const sender = createSender(createAddressGuard({ allowLocal: true }));
    const { logger } = captureLog('wallet');
    const deps = { db, masterKey, settings, logger, sender, registry: createMetrics('wallet'), pauseMs: 20 };
    const dispatcher = startWebhookDispatcher({ ...deps, mailer: mailerOf(given), now: () => clock.now });
    const mails = async () => {
      await sendAllMail(given);
      return takenBy(owner.email).map(readText);
    };
    await expect.poll(mails).toHaveLength(1);
    await dispatcher.stop();
    await sender.close();
    await hooks.close();
    const [mail = ''] = await mails();
    expect(mail).toContain(`The webhook endpoint at ${new URL(url).host} answered 410 (gone)`);
    expect(mail).toContain(`/p/${owned.id}/settings/webhooks/`);
    expect(mail).not.toContain('canary');
  });
});

it('a service without an SMTP server queues no mail, and its answers say that mail is off', async () => {
  const silent = await givenWallet({ NODE_ENV: 'test' });
  const owned = await silent.package();
  const owner = await giveMember(silent, owned, 'owner');
  const wanted = { email: 'guest@wallet-mail.example', role: 'member' };
  const made = await owner.send('POST', `/panel/packages/${owned.id}/invitations`, wanted);
  expect(made.body.data).toMatchObject({ mail: 'off', url: expect.stringContaining('#token=') });
  const forgotten = await owner.send('POST', '/panel/password-resets', { email: owner.email });
  expect([forgotten.status, forgotten.body.code]).toEqual([409, 'mail_off']);
  expect((await silent.db.query('select 1 from mail_outbox')).rowCount).toBe(0);
  const listed = await (await giveAdministrator(silent)).send('GET', '/panel/admin/mail');
  expect(listed.body.data).toEqual({ mode: 'off', messages: [], next_cursor: null });
  expect((await silent.app.inject('/mailbox')).statusCode).toBe(404);
  await silent.close();
});
