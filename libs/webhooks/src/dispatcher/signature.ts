// Secrets and signatures of the Standard Webhooks specification.
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

export const makeWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The headers of one attempt; while a rotated secret overlaps there are two signatures. */
export function signWebhook(message: {
  id: string;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  // Of the machine, not of the service: receivers hold it against their own clock.
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`;
  };
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': message.secrets.map(sign).join(' '),
  };
}
