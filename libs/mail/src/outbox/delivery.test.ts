// Messages reach a real SMTP server: none is lost, and a crash causes at most one copy.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSmtpTransport } from '../smtp-transport.ts';
import { type MailDesk, openMailDesk } from '../testing/mail-desk.ts';
import { openSmtpReceiver, SmtpRefusal } from '../testing/smtp-receiver.ts';
import { findMail, listUndelivered } from './queries.ts';
import { sendAgain } from './send-again.ts';

let desk: MailDesk;
beforeAll(async () => {
  desk = await openMailDesk(inject('testServer'));
});
afterAll(() => desk.close());
afterEach(() => {
  desk.receiver.onRecipient = () => {};
  desk.receiver.onMessage = () => {};
});

const hourMs = 3_600_000;
const tenantId = 7n;
const listDead = async () => {
  const listed = await listUndelivered(desk.db, { tenantId, before: undefined, limit: 100 });
  return listed.filter((mail) => mail.state === 'failed');
};

describe('an accepted message', () => {
  it('an accepted message arrives once, and its content is then erased from the outbox', async () => {
    const to = desk.newAddress();
    expect(await desk.queue(to)).toBe('queued');
    const [waiting] = await desk.rowsOf(to);
    expect(waiting?.content_sealed?.toString('latin1')).not.toContain('cfl_secret');
    await desk.sendDue();
    const [mail] = desk.takenBy(to);
    expect(mail?.from).toBe('mail@service.example');
    expect(mail?.source).toContain('From: Counterfoil <mail@service.example>');
    expect(mail?.source).toContain('Reply-To: help@service.example');
    expect(mail?.source).toContain('Subject: You are invited to Counterfoil Desk');
    expect(mail?.source).toContain('Auto-Submitted: auto-generated');
    expect(mail?.source).toContain('Content-Type: text/plain');
    expect(mail?.source).toContain('Content-Type: text/html');
    expect(await desk.rowsOf(to)).toMatchObject([{ state: 'sent', attempts: 1, content_sealed: null }]);
    await desk.sendDue();
    expect(desk.takenBy(to)).toHaveLength(1);
  });

  it('a message exists only if the transaction that queued it was committed', async () => {
    const to = desk.newAddress();
    const content = { kind: 'invitation', values: { url: 'https://desk.example/', expiresAt: '2026-03-02' } };
    const cause = desk.db.transaction(async (tx) => {
      const mail = { tenantId, to, language: 'en', content } as const;
      await desk.mailerOf().queue(tx, mail as Parameters<ReturnType<MailDesk['mailerOf']>['queue']>[1]);
      throw new Error('the cause failed');
    });
    await expect(cause).rejects.toThrow('the cause failed');
    await desk.sendDue();
    expect(desk.takenBy(to)).toEqual([]);
    expect(await desk.rowsOf(to)).toEqual([]);
  });
});

describe('a server that does not accept a message', () => {
  it('after a 5xx a message is a dead letter, can be sent again, and delays no other message', async () => {
    const [refused, other] = [desk.newAddress(), desk.newAddress()];
    await desk.queue(refused);
    await desk.queue(other);
    desk.receiver.onRecipient = (address) => {
      if (address === refused) throw new SmtpRefusal(550);
    };
    await desk.sendDue();
    expect(desk.takenBy(other)).toHaveLength(1);
    expect(await desk.rowsOf(refused)).toMatchObject([
      { state: 'failed', attempts: 1, error: 'rejected', smtp_status: 550 },
    ]);
    const dead = (await listDead()).find((mail) => mail.recipient === refused);
    if (!dead) throw new Error('the dead letter is not listed');
    desk.receiver.onRecipient = () => {};
    await desk.sendDue();
    expect(desk.takenBy(refused)).toEqual([]);
    const resend = () => desk.db.transaction((tx) => sendAgain(tx, { ...dead, at: desk.now() }));
    expect(await resend()).toEqual({ result: 'queued', tenantId });
    await desk.sendDue();
    expect(desk.takenBy(refused)).toHaveLength(1);
    expect(await resend()).toEqual({ result: 'missing' });
  });

  it('a server that answers 4xx gets the message again at growing intervals until it accepts', async () => {
    const to = desk.newAddress();
    await desk.queue(to);
    desk.receiver.onRecipient = () => {
      throw new SmtpRefusal(451);
    };
    await desk.sendDue();
    await desk.sendDue();
    expect(await desk.rowsOf(to)).toMatchObject([
      { state: 'waiting', attempts: 1, error: 'deferred', smtp_status: 451 },
    ]);
    desk.advance(30_000);
    await desk.sendDue();
    expect(await desk.rowsOf(to)).toMatchObject([{ state: 'waiting', attempts: 2 }]);
    desk.receiver.onRecipient = () => {};
    desk.advance(30_000);
    await desk.sendDue();
    expect(desk.takenBy(to)).toEqual([]);
    desk.advance(30_000);
    await desk.sendDue();
    expect(desk.takenBy(to)).toHaveLength(1);
  });

  it('a message becomes a dead letter when its last attempt fails', async () => {
    const to = desk.newAddress();
    await desk.queue(to);
    desk.receiver.onRecipient = () => {
      throw new SmtpRefusal(452);
    };
    for (let run = 0; run < 4; run++) {
      await desk.sendDue({ env: { MAIL_ATTEMPTS: '3' } });
      desk.advance(hourMs);
    }
    expect(await desk.rowsOf(to)).toMatchObject([{ state: 'failed', attempts: 3, error: 'deferred' }]);
    expect((await listDead()).map((mail) => mail.recipient)).toContain(to);
  });

  it('a message is sent again if the server did not answer before the deadline', async () => {
    const to = desk.newAddress();
    await desk.queue(to);
    let release = () => {};
    desk.receiver.onRecipient = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    await desk.sendDue({ timeoutMs: 50 });
    expect(await desk.rowsOf(to)).toMatchObject([{ state: 'waiting', attempts: 1, error: 'timeout' }]);
    release();
    desk.receiver.onRecipient = () => {};
    desk.advance(hourMs);
    await desk.sendDue();
    expect(desk.takenBy(to)).toHaveLength(1);
  });

  it('a server that disconnects in the middle of a message gets the message again', async () => {
    const to = desk.newAddress();
    await desk.queue(to);
    desk.receiver.onMessage = async () => {
      desk.receiver.dropConnections();
      await new Promise<never>(() => {});
    };
    await desk.sendDue();
    expect(await desk.rowsOf(to)).toMatchObject([{ state: 'waiting', error: 'connection_failed' }]);
    desk.receiver.onMessage = () => {};
    desk.advance(hourMs);
    await desk.sendDue();
    expect(desk.takenBy(to)).toHaveLength(1);
  });
});

describe('several processes', () => {
  it('after a crash, a message is sent again when the claim of the dead process has expired', async () => {
    const to = desk.newAddress();
    await desk.queue(to);
    const { smtp, timeoutMs } = desk.settings;
    if (!smtp) throw new Error('no server');
    const transport = createSmtpTransport(smtp, timeoutMs);
    // The process dies after the server accepted the message, before it can save the result.
    const crashing = {
      ...transport,
      send: (mail: Parameters<typeof transport.send>[0]) =>
        transport.send(mail).then((): never => {
          throw new Error('the process died');
        }),
    };
    await desk.sendDue({ transport: crashing });
    await desk.sendDue();
    expect(desk.takenBy(to)).toHaveLength(1);
    desk.advance(2 * timeoutMs + hourMs);
    await desk.sendDue();
    await desk.sendDue();
    const copies = desk.takenBy(to);
    expect(copies).toHaveLength(2);
    expect(copies[0]?.messageId).toBe(copies[1]?.messageId);
    expect(await desk.rowsOf(to)).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('several processes together send each message once', async () => {
    const addresses = Array.from({ length: 12 }, desk.newAddress);
    for (const to of addresses) await desk.queue(to);
    await Promise.all([desk.sendDue(), desk.sendDue(), desk.sendDue()]);
    for (const to of addresses) expect(desk.takenBy(to)).toHaveLength(1);
  });
});

describe('the limits', () => {
  it('the messages of one kind to one e-mail address are limited per hour, over all tenants', async () => {
    const to = desk.newAddress();
    const env = { MAIL_PER_ADDRESS_HOUR: '2' };
    const queue = (from: bigint) => desk.queue(to, { env, tenantId: from });
    expect([await queue(7n), await queue(8n), await queue(9n)]).toEqual(['queued', 'queued', 'limited']);
    const values = { url: 'https://desk.example/reset', expiresAt: '2026-03-02T12:00:00Z' };
    const reset = { content: { kind: 'password_reset', values } } as const;
    expect(await desk.queue(to, { ...reset, env })).toBe('queued');
    desk.advance(hourMs);
    expect(await queue(7n)).toBe('queued');
  });

  it('a message is not queued if too many messages of the tenant are waiting', async () => {
    const tenant = { tenantId: 70n, env: { MAIL_QUEUE_MAX: '2' } };
    const queue = () => desk.queue(desk.newAddress(), tenant);
    expect([await queue(), await queue(), await queue()]).toEqual(['queued', 'queued', 'limited']);
    expect(await desk.queue(desk.newAddress(), { ...tenant, tenantId: 71n })).toBe('queued');
  });

  it('a message whose link has expired is not sent, and cannot be sent again', async () => {
    const to = desk.newAddress();
    await desk.queue(to, { expiresAt: new Date(desk.now().getTime() + 1000) });
    desk.advance(2000);
    await desk.sendDue();
    expect(desk.takenBy(to)).toEqual([]);
    const [dead] = (await listDead()).filter((mail) => mail.recipient === to);
    if (!dead) throw new Error('the dead letter is not listed');
    expect(dead.error).toBe('expired');
    const again = await desk.db.transaction((tx) => sendAgain(tx, { ...dead, at: desk.now() }));
    expect(again).toEqual({ result: 'expired', tenantId });
  });
});

describe('the connection', () => {
  it('messages stay queued while the password is wrong, and are sent with the right password', async () => {
    const locked = await openSmtpReceiver({ user: 'desk@example', pass: 'right & wrong' });
    const to = desk.newAddress();
    await desk.queue(to);
    const url = (pass: string) => ({
      SMTP_URL: `smtp://desk%40example:${encodeURIComponent(pass)}@127.0.0.1:${locked.port}`,
    });
    await desk.sendDue({ env: url('wrong') });
    expect(await desk.rowsOf(to)).toMatchObject([
      { state: 'waiting', error: 'sign_in_refused', smtp_status: 535 },
    ]);
    desk.advance(hourMs);
    await desk.sendDue({ env: url('right & wrong') });
    expect(locked.taken.map((mail) => mail.to)).toContain(to);
    await locked.close();
  });

  it('if TLS is required, nothing is sent without TLS or without a trusted certificate', async () => {
    const selfSigned = await openSmtpReceiver({ tls: true });
    const to = desk.newAddress();
    await desk.queue(to);
    for (const port of [desk.receiver.port, selfSigned.port]) {
      const env = { SMTP_TLS: 'required', SMTP_URL: `smtp://127.0.0.1:${port}` };
      await desk.sendDue({ env });
      expect(await desk.rowsOf(to)).toMatchObject([{ state: 'waiting', error: 'tls_failed' }]);
      desk.advance(hourMs);
    }
    expect([...desk.takenBy(to), ...selfSigned.taken]).toEqual([]);
    await selfSigned.close();
  });
});

it('a message of another tenant is not found', async () => {
  const to = desk.newAddress();
  await desk.queue(to, { tenantId: 81n });
  const { rows } = await desk.db.query<{ id: bigint }>('select id from mail_outbox where recipient = $1', [
    to,
  ]);
  const id = rows[0]?.id ?? 0n;
  expect(await findMail(desk.db, { tenantId: 82n, id })).toBeUndefined();
  expect(await findMail(desk.db, { tenantId: 81n, id })).toMatchObject({ recipient: to });
});
