// What the shared pages of webhooks need to know of a package.
import { fillPath } from '@counterfoil/ui/panel.ts';
import type { WebhooksProps } from '@counterfoil/ui/webhooks/webhooks.ts';
import { usePackage } from '../package.ts';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

export function useWebhooksProps(): WebhooksProps {
  const { id: packageId, base, isOwner, to } = usePackage();
  return {
    path: `${base}/webhooks`,
    leads: isOwner,
    listTo: to(paths.webhooks),
    endpointTo: (id) => fillPath(paths.webhook, { package_id: packageId, endpoint_id: id }),
    text: { title: words.pages.webhooks, ...words.webhooks },
  };
}
