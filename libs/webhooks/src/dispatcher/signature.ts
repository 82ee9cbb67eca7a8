// The secrets of endpoints, and signatures as the Standard Webhooks specification defines them.
import { createHmac, randomBytes } from 'node:crypto';
import { type MasterKey, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';

const prefix = 'whsec_';

export const makeWebhookSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Returns the headers of one attempt. During the overlap after a rotation, they contain two signatures. */
export function signWebhook(message: {
  id: string;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  // The timestamp is the real time and not the clock that tests can set, because receivers compare it with
  // their own clock.
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

const contextOf = ({ tenant, id }: EndpointKey) => `webhook/${tenant}/${id}`;

export const sealWebhookSecret = (masterKey: MasterKey, key: EndpointKey, plain: string): Buffer =>
  seal(masterKey, { plain, context: contextOf(key) });

export const unsealWebhookSecret = (masterKey: MasterKey, key: EndpointKey, sealed: Buffer): string =>
  unseal(masterKey, { sealed, context: contextOf(key) });

/** Lists the secrets of an endpoint: the newest first, then the previous secret during the overlap. */
export function listSecrets(masterKey: MasterKey, endpoint: Endpoint, at: Date): string[] {
  const { previousSealed, previousUntil } = endpoint;
  const overlaps = previousSealed && previousUntil && previousUntil > at;
  return [endpoint.secretSealed, ...(overlaps ? [previousSealed] : [])].map((sealed) =>
    unsealWebhookSecret(masterKey, endpoint, sealed),
  );
}
