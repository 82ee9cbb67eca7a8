// Who changed what in a workspace.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';

export default function Audit() {
  return <AuditPage path={`/panel/workspaces/${useTenant().id}/audit-log`} />;
}
