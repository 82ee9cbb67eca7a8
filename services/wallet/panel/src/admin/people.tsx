// The administrators of the platform, and their audit log.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { TeamPage } from '@counterfoil/ui/team/team-page.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

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
