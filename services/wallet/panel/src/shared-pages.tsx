// The pages that both panels have, with the addresses and texts of this one.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { TeamPage } from '@counterfoil/ui/team/team-page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { WebhookPage } from '@counterfoil/ui/webhooks/webhook-page.tsx';
import type { WebhooksProps } from '@counterfoil/ui/webhooks/webhooks.ts';
import { WebhooksPage } from '@counterfoil/ui/webhooks/webhooks-page.tsx';
import { usePackage } from './package.ts';
import { paths } from './paths.ts';
import { words } from './strings.ts';

export function Team() {
  const tenant = useTenant();
  const base = `/panel/packages/${tenant.id}`;
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
  return <AuditPage path={`${usePackage().base}/audit-log`} />;
}

function useWebhooksProps(): WebhooksProps {
  const { id: packageId, base, isOwner, to } = usePackage();
  return {
    path: `${base}/webhooks`,
    canManage: isOwner,
    listTo: to(paths.webhooks),
    endpointTo: (id) => fillPath(paths.webhook, { package_id: packageId, endpoint_id: id }),
    text: { title: words.pages.webhooks, ...words.webhooks },
  };
}

export function Webhooks() {
  return <WebhooksPage {...useWebhooksProps()} />;
}

export function Webhook() {
  return <WebhookPage {...useWebhooksProps()} />;
}

export function AdminTeam() {
  return (
    <TeamPage
      title={words.pages.adminTeam}
      text={words.administrators}
      membersPath="/panel/admin/administrators"
      invitationsPath="/panel/admin/administrator-invitations"
      roles={['administrator']}
      canManage
    />
  );
}

export function AdminAudit() {
  return (
    <AuditPage
      path="/panel/admin/audit-log"
      text={words.admin.auditText}
      renderPackage={({ id, uid }) => (
        <PanelLink to={fillPath(paths.adminPackage, { managed_id: id })}>{uid}</PanelLink>
      )}
    />
  );
}
