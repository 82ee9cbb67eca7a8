// For tests: an outbox in a fresh database, an SMTP server, and a clock that the test sets.
import { randomBytes } from 'node:crypto';
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { readConfig } from '@counterfoil/kit/process/config';
import { createTestDatabase, type TestServer } from '@counterfoil/kit/testing/databases';
import { checkMailSettings, mailSettings, presentMailSettings } from '../mail-settings.ts';
import type { NewMail, QueueResult } from '../message.ts';
import { type MailDispatcherOptions, startMailDispatcher } from '../outbox/dispatcher.ts';
import { createMailer } from '../outbox/mailer.ts';
import { openSmtpReceiver } from './smtp-receiver.ts';

export type MailDesk = Awaited<ReturnType<typeof openMailDesk>>;

export const readMailSettings = (env: Record<string, string>) =>
  presentMailSettings({
    ...readConfig(env, mailSettings, checkMailSettings),
    DEMO: 'off',
    NODE_ENV: 'test',
  });

const invitation = {
  kind: 'invitation',
  values: { url: 'https://desk.example/welcome#token=cfl_secret', expiresAt: '2026-03-02T12:00:00Z' },
} as const;

/** Reads the rows of the outbox for an address. */
async function readRows(db: Db, to: string) {
  const { rows } = await db.query<{
    state: string;
    attempts: number;
    error: string | null;
    smtp_status: number | null;
    content_sealed: Buffer | null;
  }>(
    `select state, attempts, error, smtp_status, content_sealed from mail_outbox
     where recipient = $1 order by id`,
    [to],
  );
  return rows;
}

export async function openMailDesk(server: TestServer) {
  const database = await createTestDatabase(server, 'kit');
  const db = openDb({ url: database.url, applicationName: 'mail test', maxConnections: 8 });
  const receiver = await openSmtpReceiver();
  const masterKey = parseMasterKey(randomBytes(32).toString('hex'));
  const clock = { at: new Date('2026-03-01T12:00:00Z') };
  const now = () => new Date(clock.at);
  const defaults = {
    SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'Counterfoil <mail@service.example>',
    MAIL_REPLY_TO: 'help@service.example',
  };
  const mailerOf = (env: Record<string, string> = {}) =>
    createMailer({
      settings: readMailSettings({ ...defaults, ...env }),
      masterKey,
      now,
      service: 'Counterfoil Desk',
      publicUrl: 'https://desk.example',
    });
  let addresses = 0;
  return {
    db,
    receiver,
    now,
    mailerOf,
    advance: (ms: number): void => {
      clock.at = new Date(clock.at.getTime() + ms);
    },
    newAddress: () => `person${++addresses}@example.com`,
    queue: (to: string, given: Partial<NewMail> & { env?: Record<string, string> } = {}) => {
      const { env, ...rest } = given;
      const mail: NewMail = { tenantId: 7n, to, language: 'en', content: invitation, ...rest };
      return db.transaction((tx): Promise<QueueResult> => mailerOf(env).queue(tx, mail));
    },
    /** Runs the work of one process: sends all messages that are due, then stops. */
    sendDue: async (
      given: { env?: Record<string, string>; timeoutMs?: number } & Pick<
        Partial<MailDispatcherOptions>,
        'transport'
      > = {},
    ): Promise<void> => {
      const { env = {}, timeoutMs, ...rest } = given;
      const settings = readMailSettings({ ...defaults, ...env });
      const dispatcher = startMailDispatcher({
        db,
        mailer: mailerOf(env),
        settings: { ...settings, ...(timeoutMs !== undefined && { timeoutMs }) },
        logger: createLogger({ service: 'desk', level: 'silent' }),
        registry: createMetrics('desk'),
        now,
        pauseMs: 3_600_000,
        ...rest,
      });
      await dispatcher.now();
      await dispatcher.stop();
    },
    rowsOf: (to: string) => readRows(db, to),
    takenBy: (to: string) => receiver.taken.filter((mail) => mail.to === to),
    settings: readMailSettings(defaults),
    close: async (): Promise<void> => {
      await receiver.close();
      await db.end();
      await database.dispose();
    },
  };
}
