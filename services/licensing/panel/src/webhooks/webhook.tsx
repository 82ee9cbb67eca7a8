// One endpoint of a workspace, with its deliveries.
import { WebhookPage } from '@counterfoil/ui/webhooks/webhook-page.tsx';
import { useWebhooksProps } from './use-webhooks-props.ts';

export default function Webhook() {
  return <WebhookPage {...useWebhooksProps()} />;
}
