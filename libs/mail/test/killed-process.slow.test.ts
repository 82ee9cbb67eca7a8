// A process that is killed while it sends loses no message, and causes at most one copy.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { openDb } from '@counterfoil/kit/postgres/db';
import { createTestDatabase } from '@counterfoil/kit/testing/databases';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterEach, expect, inject, it } from 'vitest';
import { createMailer } from '../src/outbox/mailer.ts';
import { readMailSettings } from '../src/testing/mail-desk.ts';
import { openSmtpReceiver } from '../src/testing/smtp-receiver.ts';

const program = fileURLToPath(new URL('mail-process.mjs', import.meta.url));
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

const recipients = Array.from({ length: 10 }, (_, i) => `person${i}@example.com`);
const dayMs = 24 * 3_600_000;

it('each message arrives, and only the message that was being sent at the kill arrives twice', async () => {
  const database = await createTestDatabase(inject('testServer'), 'kit');
  const db = openDb({ url: database.url, applicationName: 'mail test' });
  const receiver = await openSmtpReceiver();
  const MASTER_KEY = randomBytes(32).toString('hex');
  const mail = {
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'mail@service.example',
  };
  const start = (aheadMs: number) => {
    const own = { MASTER_KEY, DATABASE_URL: database.url, CLOCK_AHEAD_MS: String(aheadMs) };
    const env = { ...process.env, ...mail, ...own };
    const child = spawn(process.execPath, [program], { env, stdio: 'inherit' });
    children.add(child);
    return child;
  };
  const mailer = createMailer({
    settings: readMailSettings(mail),
    masterKey: parseMasterKey(MASTER_KEY),
    now: () => new Date(),
    service: 'Mail process',
    publicUrl: 'https://desk.example',
  });
  for (const to of recipients) {
    const values = { url: 'https://desk.example/reset', expiresAt: new Date().toISOString() };
    const content = { kind: 'password_reset', values } as const;
    await db.transaction((tx) => mailer.queue(tx, { tenantId: 0n, to, language: 'en', content }));
  }
  const first = start(0);
  receiver.onAccepted = async () => {
    // The server has the fifth message, and the process dies before it reads the answer.
    if (receiver.taken.length !== 5) return;
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
  };
  await eventually(() => expect(first.signalCode).toBe('SIGKILL'));
  expect(receiver.taken).toHaveLength(5);
  start(dayMs);
  await eventually(async () => {
    const { rowCount } = await db.query(`select 1 from mail_outbox where state = 'waiting'`);
    expect(rowCount).toBe(0);
  });
  const twice = receiver.taken[4]?.to;
  for (const to of recipients) {
    const copies = receiver.taken.filter((each) => each.to === to);
    expect(copies).toHaveLength(to === twice ? 2 : 1);
    expect(new Set(copies.map((each) => each.messageId)).size).toBe(1);
  }
  await receiver.close();
  await db.end();
  await database.dispose();
});
