// The pages that both panels have, with the addresses and texts of this one.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';
import { TeamPage } from '@counterfoil/ui/team/team-page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { WebhookPage } from '@counterfoil/ui/webhooks/webhook-page.tsx';
import type { WebhooksProps } from '@counterfoil/ui/webhooks/webhooks.ts';
import { WebhooksPage } from '@counterfoil/ui/webhooks/webhooks-page.tsx';
import { paths } from './paths.ts';
import { words } from './strings.ts';
import { useWorkspace } from './workspace.ts';

export function Team() {
  const tenant = useTenant();
  const base = `/panel/workspaces/${tenant.id}`;
  return (
    <TeamPage
      membersPath={`${base}/members`}
      invitationsPath={`${base}/invitations`}
      roles={['owner', 'member']}
      canManage={tenant.role === 'owner'}
    />
  );
}

export function Audit() {
  return <AuditPage path={`/panel/workspaces/${useTenant().id}/audit-log`} />;
}

function useWebhooksProps(): WebhooksProps {
  const { base, isOwner, to } = useWorkspace();
  return {
    path: `${base}/webhooks`,
    canManage: isOwner,
    listTo: to(paths.webhooks),
    endpointTo: (id) => to(paths.webhook, { endpoint_id: id }),
    text: { title: words.pages.webhooks, ...words.webhooks },
  };
}

export function Webhooks() {
  return <WebhooksPage {...useWebhooksProps()} />;
}

export function Webhook() {
  return <WebhookPage {...useWebhooksProps()} />;
}
