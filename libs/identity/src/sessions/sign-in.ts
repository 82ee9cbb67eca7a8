// What every use case of this library needs, created once per service, and the events that it reports.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { ServiceErrors, TransportErrorCode } from '@counterfoil/kit/http/errors';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { SignInErrorCode } from '../errors.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';

export type SignInAction =
  | 'signed_in'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'password_reset_link_made'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'invitation_made'
  | 'invitation_withdrawn'
  | 'invitation_redeemed'
  | 'role_changed'
  | 'member_removed'
  | 'person_disabled'
  | 'person_enabled';

export interface SignInEvent {
  readonly action: SignInAction;
  readonly at: Date;
  /** The person who acted; null for an operator at the command line. */
  readonly actorId: bigint | null;
  /** The person concerned; null if an invited e-mail has no person yet. */
  readonly personId: bigint | null;
  readonly tenantId: bigint | null;
  /** The address of the request, if there was one. */
  readonly address: string | null;
  /** Never a secret. */
  readonly details: Readonly<Record<string, string>>;
}

export interface SignInOptions {
  readonly db: Db;
  readonly errors: ServiceErrors<SignInErrorCode | TransportErrorCode>;
  readonly masterKey: MasterKey;
  /** The URL of the panel, which links, the origin check and the cookie's attributes depend on. */
  readonly publicUrl: string;
  /** Services on one host share cookies, so each needs its own name. */
  readonly cookieName: string;
  /** Named beside the e-mail in an authenticator app. */
  readonly serviceName: string;
  readonly now?: () => Date;
  /** Called inside the transaction, which is rolled back if it throws. */
  readonly onAudit?: (tx: Tx, event: SignInEvent) => Promise<void>;
  readonly passwords?: PasswordHasher;
}

/** An event whose rare fields are optional. */
export interface AuditInput {
  readonly action: SignInAction;
  readonly actorId: bigint | null;
  readonly personId: bigint | null;
  readonly tenantId?: bigint | null;
  readonly address?: string | null;
  readonly details?: Readonly<Record<string, string>>;
}

export interface SignIn {
  readonly db: Db;
  readonly errors: ServiceErrors<SignInErrorCode | TransportErrorCode>;
  readonly masterKey: MasterKey;
  readonly publicUrl: URL;
  readonly cookieName: string;
  readonly serviceName: string;
  readonly now: () => Date;
  readonly audit: (tx: Tx, event: AuditInput) => Promise<void>;
  readonly passwords: PasswordHasher;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { db, errors, masterKey, serviceName, onAudit, now = () => new Date() } = options;
  const publicUrl = new URL(options.publicUrl);
  return {
    db,
    errors,
    masterKey,
    publicUrl,
    serviceName,
    now,
    // Browsers accept a `__Host-` cookie only over https, for one host and all its paths.
    cookieName:
      publicUrl.protocol === 'https:' ? `__Host-${options.cookieName}` : options.cookieName,
    audit: async (tx, event) => {
      const rest = { tenantId: null, address: null, details: {} };
      await onAudit?.(tx, { ...rest, ...event, at: now() });
    },
    passwords:
      options.passwords ?? createPasswordHasher({ overloaded: () => errors.fail('overloaded') }),
  };
}
