// Tries every third id of the tenant matrix; the slow suite tries the others.
import { describeTenantMatrix } from './describe-tenant-matrix.ts';

describeTenantMatrix((index) => index % 3 === 0);
