// A process that sends mail from an outbox until it is killed. The settings are in the environment.
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { openDb } from '@counterfoil/kit/postgres/db';
import { readConfig } from '@counterfoil/kit/process/config';
import { mailSettings, presentMailSettings } from '@counterfoil/mail/mail-settings';
import { startMailDispatcher } from '@counterfoil/mail/outbox/dispatcher';
import { createMailer } from '@counterfoil/mail/outbox/mailer';

const { env } = process;
const settings = presentMailSettings({ ...readConfig(env, mailSettings), DEMO: 'off', NODE_ENV: 'test' });
const now = () => new Date(Date.now() + Number(env.CLOCK_AHEAD_MS));
const mailer = createMailer({
  settings,
  now,
  masterKey: parseMasterKey(env.MASTER_KEY),
  service: 'Mail process',
  publicUrl: 'https://desk.example',
});
startMailDispatcher({
  db: openDb({ url: env.DATABASE_URL, applicationName: 'mail process' }),
  mailer,
  settings,
  logger: createLogger({ service: 'mail', level: 'silent' }),
  registry: createMetrics('mail'),
  now,
  pauseMs: 20,
});
// The loops of the dispatcher do not keep the process alive, but this timer does.
setInterval(() => {}, 60_000);
