// Tries the ids that the main suite of the tenant matrix leaves out.
import { describeTenantMatrix } from './describe-tenant-matrix.ts';

describeTenantMatrix((index) => index % 3 !== 0);
