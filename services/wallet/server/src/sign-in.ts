// Configures the sign-in to the wallet panel.

import { createSignIn, type SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { Db } from '@counterfoil/kit/postgres/db';
import { recordSignIn } from './audit/record-sign-in.ts';
import type { Config } from './config.ts';
import { errors } from './errors.ts';

export function createWalletSignIn(db: Db, config: Config, now?: () => Date): SignIn {
  return createSignIn({
    db,
    errors,
    masterKey: config.masterKey,
    publicUrl: config.publicUrl,
    cookieName: 'counterfoil_wallet',
    serviceName: 'Counterfoil Wallet',
    onAudit: (tx, event) => recordSignIn(tx, event),
    ...(now && { now }),
  });
}
