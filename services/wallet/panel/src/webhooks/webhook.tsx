// One endpoint of a package, with its deliveries.
import { WebhookPage } from '@counterfoil/ui/webhooks/webhook-page.tsx';
import { useWebhooksProps } from './use-webhooks-props.ts';

export default function Webhook() {
  return <WebhookPage {...useWebhooksProps()} />;
}
