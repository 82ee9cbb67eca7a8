// Who changed what on the platform.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';

export default function AdminAudit() {
  return <AuditPage path="/panel/admin/audit-log" />;
}
