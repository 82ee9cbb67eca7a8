// Settings → Webhooks: who is told of what happens in a workspace.
import { WebhooksPage } from '@counterfoil/ui/webhooks/webhooks-page.tsx';
import { useWebhooksProps } from './use-webhooks-props.ts';

export default function Webhooks() {
  return <WebhooksPage {...useWebhooksProps()} />;
}
