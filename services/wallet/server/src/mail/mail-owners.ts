// Queues a message to every owner of a package, in the same transaction as the change that the message
// reports.
import { listOwners } from '@counterfoil/identity/members/queries';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { MailContent } from '@counterfoil/mail/message';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';

export async function mailOwners(
  mailer: Mailer,
  tx: Tx,
  tenantId: bigint,
  content: MailContent,
): Promise<void> {
  if (mailer.mode === 'off') return;
  for (const { email: to, language = 'en' } of await listOwners(tx, tenantId)) {
    await mailer.queue(tx, { tenantId, to, language, content });
  }
}
