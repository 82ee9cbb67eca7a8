// For tests: sends all due messages of a service, as one of its processes does.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import { createLogger } from '@counterfoil/kit/observability/logging';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { MailSettings } from '../mail-settings.ts';
import { startMailDispatcher } from '../outbox/dispatcher.ts';
import { createMailer, type Mailer } from '../outbox/mailer.ts';

interface GivenService {
  readonly db: Db;
  readonly config: {
    readonly mail: MailSettings;
    readonly masterKey: MasterKey;
    readonly publicUrl: string;
  };
  readonly clock: { readonly now: Date };
}

/** The mailer of a service under test. */
export const mailerOf = ({ config, clock }: GivenService): Mailer => {
  const { mail: settings, masterKey, publicUrl } = config;
  return createMailer({ settings, masterKey, publicUrl, service: 'Test', now: () => clock.now });
};

export async function sendAllMail(given: GivenService): Promise<void> {
  const dispatcher = startMailDispatcher({
    db: given.db,
    mailer: mailerOf(given),
    settings: given.config.mail,
    logger: createLogger({ service: 'test', level: 'silent' }),
    registry: createMetrics('test'),
    now: () => given.clock.now,
    pauseMs: 3_600_000,
  });
  await dispatcher.now();
  await dispatcher.stop();
}
