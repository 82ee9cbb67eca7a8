// The dependencies of all use cases of this library, and the events that they report.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { ServiceErrors, TransportErrorCode } from '@counterfoil/kit/http/errors';
import type { Language } from '@counterfoil/kit/http/headers';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { SignInErrorCode } from '../errors.ts';
import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts';

type SignInAction =
  | 'signed_in'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'password_reset_link_made'
  | 'password_reset_requested'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'invitation_made'
  | 'invitation_withdrawn'
  | 'invitation_redeemed'
  | 'role_changed'
  | 'member_removed';

export interface SignInEvent {
  readonly action: SignInAction;
  readonly at: Date;
  /** The person who acted; null for an operator, a program, or a person who is not signed in. */
  readonly actorId: bigint | null;
  /**
   * The person whom the event concerns. It is null for an invitation if no person has the invited e-mail, and
   * for every withdrawal of an invitation.
   */
  readonly personId: bigint | null;
  readonly tenantId: bigint | null;
  /** The IP address that the request came from, or null if there was no request. */
  readonly address: string | null;
  /** Further facts about the event. They contain no secrets. */
  readonly details: Readonly<Record<string, string>>;
}

/** A one-time link, and the values for the mail that contains the link. */
export interface LinkMail {
  readonly purpose: 'invitation' | 'password_reset';
  /** The tenant of the invitation, or null for a password reset. */
  readonly tenantId: bigint | null;
  readonly email: string;
  readonly url: string;
  readonly expiresAt: Date;
  readonly language: Language;
  /** The e-mail of the person who invites. */
  readonly inviter: string | undefined;
}

/**
 * Queues a mail that contains the link, in the transaction that creates the link. The result `limited` means
 * that too many messages were sent to this e-mail address. The result `off` means that the service sends no
 * mail.
 */
export interface LinkMailer {
  readonly mode: 'smtp' | 'mailbox' | 'off';
  readonly send: (tx: Tx, mail: LinkMail) => Promise<'queued' | 'limited' | 'off'>;
}

const noLinkMailer: LinkMailer = { mode: 'off', send: async () => 'off' };

interface SignInOptions {
  readonly db: Db;
  readonly errors: ServiceErrors<SignInErrorCode | TransportErrorCode>;
  readonly masterKey: MasterKey;
  /** The URL of the panel, for links, the origin check and the `Secure` attribute of the cookie. */
  readonly publicUrl: string;
  /**
   * The name of the session cookie. It is unique per service, because services on one host share their
   * cookies.
   */
  readonly cookieName: string;
  /** The name of the service, which an authenticator app shows with the e-mail. */
  readonly serviceName: string;
  readonly now?: () => Date;
  /**
   * Records an event. This function is called inside the transaction of the event. If the function throws,
   * the transaction is rolled back.
   */
  readonly onAudit?: (tx: Tx, event: SignInEvent) => Promise<void>;
  readonly passwords?: PasswordHasher;
  /** Sends links by mail. Without it, the person who created a link must pass the link on. */
  readonly linkMailer?: LinkMailer | undefined;
}

/** The fields of an event. The time is added later. An omitted field becomes null or empty. */
type AuditInput = Pick<SignInEvent, 'action' | 'actorId' | 'personId'> &
  Partial<Pick<SignInEvent, 'tenantId' | 'address' | 'details'>>;

export type SignIn = Readonly<ReturnType<typeof createSignIn>>;

export function createSignIn(options: SignInOptions) {
  const { db, errors, masterKey, serviceName, onAudit, now = () => new Date() } = options;
  const publicUrl = new URL(options.publicUrl);
  return {
    db,
    errors,
    masterKey,
    publicUrl,
    serviceName,
    now,
    linkMailer: options.linkMailer ?? noLinkMailer,
    // Browsers accept a cookie with the prefix `__Host-` only over https, for one host and all its paths.
    cookieName: publicUrl.protocol === 'https:' ? `__Host-${options.cookieName}` : options.cookieName,
    audit: async (tx: Tx, event: AuditInput): Promise<void> => {
      const rest = { tenantId: null, address: null, details: {} };
      await onAudit?.(tx, { ...rest, ...event, at: now() });
    },
    passwords: options.passwords ?? createPasswordHasher({ overloaded: () => errors.fail('overloaded') }),
  };
}
