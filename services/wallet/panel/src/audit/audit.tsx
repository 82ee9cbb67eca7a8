// Who changed what in a package.
import { AuditPage } from '@counterfoil/ui/audit/audit-page.tsx';
import { usePackage } from '../package.ts';

export default function Audit() {
  return <AuditPage path={`${usePackage().base}/audit-log`} />;
}
