// Every third id of the tenant matrix; the slow suite tries the others.
import { describeTenantMatrix } from './describe-tenant-matrix.ts';

describeTenantMatrix((position) => position % 3 === 0);
