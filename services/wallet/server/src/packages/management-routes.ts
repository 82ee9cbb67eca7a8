// Management of packages: list, read, edit, approve, suspend and resume.

import { findRole } from '@counterfoil/identity/sessions/session';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, getPrincipal, packageRoute, platformRoute } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { platformTenant } from '../platform.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { editPackage } from './edit-package.ts';
import { type ManagementDeps, targetOf } from './lock-package.ts';
import { PackageAnswer, presentPackage } from './managed-package.ts';
import { Settings } from './package-settings.ts';
import { approvePackage, resumePackage, suspendPackage } from './package-state.ts';
import { getManagedPackage, listOwnPackages, listPackages } from './queries.ts';

const WithPackage = Type.Object({ package: PackageAnswer });

const present = async (deps: ManagementDeps, { packageId }: { packageId: number }) => ({
  package: presentPackage(await getManagedPackage(deps.db, packageId), deps.now()),
});

export function registerPackageManagement(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const summary = 'Read a package and its credit';
  const route = packageRoute(policy, { role: 'member', summary, data: WithPackage });
  app.get(policy.packagePath, route, async (request) =>
    answer(request, await present(deps, getHome(request))),
  );
  registerEdit(app, policy, deps);
}

/** Registers the routes that only administrators may use. */
export function registerPackageAdministration(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  if (!policy.isAdmin) return;
  registerList(app, policy, deps);
  registerStates(app, policy, deps);
}

function registerList(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ packages: Type.Array(PackageAnswer), next_cursor: NextCursor });
  const querystring = Type.Object({
    ...PageQuery,
    state: Type.Optional(Type.Enum(['pending', 'approved', 'suspended'])),
    search: Type.Optional(PrintableText({ max: 128, description: 'Part of a name, or a UID.' })),
    sandbox: Type.Optional(Type.Enum(['true', 'false'])),
  });
  const route = platformRoute(policy, { summary: 'List packages, newest first', data }, { querystring });
  app.get(`${policy.prefix}/packages`, route, async (request) => {
    const { state, search, sandbox } = request.query;
    const page = readPage(request.query, 'packages');
    const packages = await listPackages(deps.db, {
      ...page,
      state,
      search,
      sandbox: sandbox === undefined ? undefined : sandbox === 'true',
    });
    const now = deps.now();
    return answer(request, {
      packages: packages.map((each) => presentPackage(each, now)),
      ...presentNext(page, packages, (each) => each.id),
    });
  });
}

function registerEdit(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const shown = {
    role: 'owner',
    summary: "Change a package's settings",
    data: WithPackage,
    description:
      'Only administrators may change `name`, `overdraft_limit` and `decimals`. The decimals are fixed ' +
      'once the package is approved or has movements.',
  } as const;
  const route = packageRoute(policy, shown, { body: Settings });
  app.patch(policy.packagePath, route, async (request) => {
    const { name, overdraft_limit: limit, decimals } = request.body;
    const isTerms = [name, limit, decimals].some((sent) => sent !== undefined);
    if (!policy.isAdmin && isTerms) throw fail('forbidden');
    const target = targetOf(deps, request);
    await deps.db.transaction((tx) => editPackage(tx, target, request.body));
    return answer(request, await present(deps, target));
  });
}

function registerStates(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const shown = { role: 'owner', data: WithPackage } as const;
  for (const [verb, change, summary] of [
    ['approve', approvePackage, 'Approve a pending package'],
    ['resume', resumePackage, 'Resume a suspended package'],
  ] as const) {
    const route = packageRoute(policy, { ...shown, summary });
    app.post(`${policy.packagePath}/${verb}`, route, async (request) => {
      const target = targetOf(deps, request);
      await deps.db.transaction((tx) => change(tx, target));
      return answer(request, await present(deps, target));
    });
  }

  const body = Type.Object({ reason: Type.Optional(PrintableText({ max: 255 })) });
  const suspension = { ...shown, summary: 'Suspend an approved package' };
  app.post(`${policy.packagePath}/suspend`, packageRoute(policy, suspension, { body }), async (request) => {
    const target = targetOf(deps, request);
    const { reason } = request.body;
    await deps.db.transaction((tx) => suspendPackage(tx, { ...target, reason }));
    return answer(request, await present(deps, target));
  });
}

const OwnPackage = named(
  'OwnPackage',
  Type.Object({ role: Type.Enum(['owner', 'member']), package: PackageAnswer }),
);

export function registerOwnPackages(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({ packages: Type.Array(OwnPackage) });
  const route = platformRoute(policy, { summary: 'List my packages', data });
  app.get(`${policy.prefix}/packages`, route, async (request) => {
    const { session } = getPrincipal(request);
    if (!session) throw new Error('only a person has packages');
    const tenants = session.memberships.map(({ tenantId }) => tenantId);
    const ids = tenants.filter((tenantId) => tenantId !== platformTenant).map(Number);
    const packages = await listOwnPackages(deps.db, ids);
    const now = deps.now();
    return answer(request, {
      packages: packages.map((each) => {
        const isOwner = findRole(session, BigInt(each.sandboxOf ?? each.id)) === 'owner';
        const role: 'owner' | 'member' = isOwner ? 'owner' : 'member';
        return { role, package: presentPackage(each, now) };
      }),
    });
  });
}
