// Queues messages in the transaction of their cause, and renders queued messages.
import { type MasterKey, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { MailSettings } from '../mail-settings.ts';
import type { MailContent, MailKey, NewMail, QueueResult, RenderedMail } from '../message.ts';
import { renderMail, type Sender } from '../templates/render-mail.ts';
import { countMailTo, countWaitingMail, insertMail, type MailRow, nextMailId } from './store.ts';

const hourMs = 3_600_000;

interface MailerOptions extends Sender {
  readonly settings: MailSettings;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

export type Mailer = ReturnType<typeof createMailer>;

export function createMailer({ settings, masterKey, now, ...sender }: MailerOptions) {
  /**
   * Whether a limit is reached. Concurrent transactions may exceed a limit, because they do not see each
   * other's messages.
   */
  const isLimited = async (tx: Tx, mail: NewMail, at: Date): Promise<boolean> => {
    const { perAddressHour, maxWaiting } = settings;
    const since = new Date(at.getTime() - hourMs);
    const { kind } = mail.content;
    if (perAddressHour > 0) {
      const sent = await countMailTo(tx, { recipient: mail.to, kind, since });
      if (sent >= perAddressHour) return true;
    }
    return (await countWaitingMail(tx, mail.tenantId)) >= maxWaiting;
  };
  return {
    mode: settings.mode,
    sender,
    /** The number of messages of a tenant that were not sent yet. */
    countWaiting: (tx: Tx, tenantId: bigint): Promise<number> => countWaitingMail(tx, tenantId),
    /** Writes the message to the outbox. It is sent after the transaction has been committed. */
    queue: async (tx: Tx, mail: NewMail): Promise<QueueResult> => {
      if (settings.mode === 'off') return 'off';
      const createdAt = now();
      if (await isLimited(tx, mail, createdAt)) return 'limited';
      const { tenantId, to: recipient, language, content, expiresAt } = mail;
      const id = await nextMailId(tx);
      const plain = JSON.stringify(content.values);
      const contentSealed = seal(masterKey, { plain, context: contextOf({ tenantId, id }) });
      const { kind } = content;
      await insertMail(tx, { tenantId, id, kind, recipient, language, contentSealed, createdAt, expiresAt });
      return 'queued';
    },
    /**
     * Renders a queued message. Returns undefined if its content was deleted or was sealed with a different
     * key.
     */
    render: (row: MailRow): RenderedMail | undefined => {
      if (!row.contentSealed) return undefined;
      try {
        const plain = unseal(masterKey, { sealed: row.contentSealed, context: contextOf(row) });
        const content = { kind: row.kind, values: JSON.parse(plain) } as MailContent;
        return renderMail(content, row.language, sender);
      } catch {
        return undefined;
      }
    },
  };
}

const contextOf = ({ tenantId, id }: MailKey) => `mail ${tenantId}/${id}`;
