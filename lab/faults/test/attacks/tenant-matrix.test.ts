// Tries every third id of the tenant matrix; the slow suite tries the other ids.
import { describeTenantMatrix } from './describe-tenant-matrix.ts';

describeTenantMatrix((index) => index % 3 === 0);
