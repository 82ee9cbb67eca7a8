// Makes a signed webhook, as a service sends it.
import { createHmac, randomBytes } from 'node:crypto';

export const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;

export function signedWebhook(event: object): Request {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', Buffer.from(webhookSecret.slice(6), 'base64'))
    .update(`msg_1.${timestamp}.${body}`)
    .digest('base64');
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  };
  return new Request('https://shop.example/webhooks', { method: 'POST', headers, body });
}
