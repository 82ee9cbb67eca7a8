// The packages that a signed-in person belongs to, with their twins.

import { findRole } from '@counterfoil/identity/sessions/session';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { Type } from 'typebox';
import { type AccessPolicy, getPrincipal, managed } from '../access-policy.ts';
import { platformTenant } from '../platform.ts';
import { listOwnPackages } from './list-packages.ts';
import { PackageAnswer, presentPackage } from './managed-package.ts';
import type { ManagementDeps } from './package-target.ts';

const OwnPackage = named(
  'OwnPackage',
  Type.Object({
    role: Type.Enum(['owner', 'member']),
    package: PackageAnswer,
  }),
);

export function registerOwnPackages(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ packages: Type.Array(OwnPackage) });
  const schema = managed(policy, { summary: 'Which packages are mine?', data });
  app.get(`${policy.prefix}/packages`, { schema, onRequest: policy.authorize }, async (request) => {
    const { session } = getPrincipal(request);
    if (!session) throw new Error('only a person has packages');
    const tenants = session.memberships.map(({ tenantId }) => tenantId);
    const ids = tenants.filter((tenantId) => tenantId !== platformTenant).map(Number);
    const packages = await listOwnPackages(deps.db, ids);
    const now = deps.now();
    return answer(request, {
      packages: packages.map((each) => ({
        role:
          findRole(session, BigInt(each.sandboxOf ?? each.id)) === 'owner'
            ? ('owner' as const)
            : ('member' as const),
        package: presentPackage(each, now),
      })),
    });
  });
}
