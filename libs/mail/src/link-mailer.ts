// Sends the one-time links of people: invitations and password resets.
import type { Language } from '@counterfoil/kit/http/headers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { QueueResult } from './message.ts';
import type { Mailer } from './outbox/mailer.ts';

interface LinkMail {
  readonly purpose: 'invitation' | 'password_reset';
  /** The tenant of the invitation, or null for a password reset, which belongs to no tenant. */
  readonly tenantId: bigint | null;
  readonly email: string;
  readonly url: string;
  readonly expiresAt: Date;
  readonly language: Language;
  readonly inviter: string | undefined;
}

export const createLinkMailer = (mailer: Mailer) => ({
  mode: mailer.mode,
  send: (tx: Tx, link: LinkMail): Promise<QueueResult> => {
    const { purpose, email: to, language, expiresAt, inviter } = link;
    const values = { url: link.url, expiresAt: expiresAt.toISOString() };
    const content =
      purpose === 'password_reset'
        ? { kind: purpose, values }
        : { kind: purpose, values: { ...values, ...(inviter !== undefined && { inviter }) } };
    return mailer.queue(tx, { tenantId: link.tenantId ?? 0n, to, language, content, expiresAt });
  },
});
