// What the shared pages of webhooks need to know of a workspace.
import type { WebhooksProps } from '@counterfoil/ui/webhooks/webhooks.ts';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';
import { useWorkspace } from '../workspace.ts';

export function useWebhooksProps(): WebhooksProps {
  const { base, isOwner, to } = useWorkspace();
  return {
    path: `${base}/webhooks`,
    leads: isOwner,
    listTo: to(paths.webhooks),
    endpointTo: (id) => to(paths.webhook, { endpoint_id: id }),
    text: { title: words.pages.webhooks, ...words.webhooks },
  };
}
