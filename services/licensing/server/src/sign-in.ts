// Configures the sign-in of the licensing panel.

import { createSignIn, type SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { Db } from '@counterfoil/kit/postgres/db';
import { createLinkMailer } from '@counterfoil/mail/link-mailer';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { recordSignIn } from './audit/record-audit.ts';
import type { Config } from './config.ts';
import { errors } from './errors.ts';

/** With a mailer, invitations and password resets are also sent by mail. */
export function createLicensingSignIn(db: Db, config: Config, now?: () => Date, mailer?: Mailer): SignIn {
  return createSignIn({
    db,
    errors,
    masterKey: config.masterKey,
    publicUrl: config.publicUrl,
    cookieName: 'counterfoil_licensing',
    serviceName: 'Counterfoil Licensing',
    onAudit: recordSignIn,
    ...(now && { now }),
    linkMailer: mailer && createLinkMailer(mailer),
  });
}
