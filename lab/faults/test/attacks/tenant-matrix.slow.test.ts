// Tries the ids of the tenant matrix that the main suite leaves out.
import { describeTenantMatrix } from './describe-tenant-matrix.ts';

describeTenantMatrix((index) => index % 3 !== 0);
