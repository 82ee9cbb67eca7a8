// The ids of the tenant matrix that the main suite omits.
import { describeTenantMatrix } from './describe-tenant-matrix.ts';

describeTenantMatrix((position) => position % 3 !== 0);
