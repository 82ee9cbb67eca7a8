// Configures the sign-in to the wallet panel.

import { createSignIn, type SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { Db } from '@counterfoil/kit/postgres/db';
import { createLinkMailer } from '@counterfoil/mail/link-mailer';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { recordSignIn } from './audit/record-sign-in.ts';
import type { Config } from './config.ts';
import { errors } from './errors.ts';

/** With a mailer, invitations and password resets are also sent by mail. */
export function createWalletSignIn(db: Db, config: Config, now?: () => Date, mailer?: Mailer): SignIn {
  return createSignIn({
    db,
    errors,
    masterKey: config.masterKey,
    publicUrl: config.publicUrl,
    cookieName: 'counterfoil_wallet',
    serviceName: 'Counterfoil Wallet',
    onAudit: (tx, event) => recordSignIn(tx, event),
    ...(now && { now }),
    linkMailer: mailer && createLinkMailer(mailer),
  });
}
