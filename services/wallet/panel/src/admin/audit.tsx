// Every change that the platform's people and programs made, also in packages.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';
import { fillPath } from '@counterfoil/ui/panel.ts';
import { PanelLink } from '@counterfoil/ui/parts/links.tsx';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

export default function AdminAudit() {
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
