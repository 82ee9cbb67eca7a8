// Packages as they are managed: list, issue, read, edit, approve, suspend, resume, sandbox.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { PrintableText } from '@counterfoil/kit/http/text';
import { Type } from 'typebox';
import { type AccessPolicy, managed, PackageParams } from '../access-policy.ts';
import { fail } from '../errors.ts';
import { NextCursor, PageQuery, presentNext, readPage } from '../wire/paging.ts';
import { approvePackage } from './approve-package.ts';
import { registerPackageIssue } from './credentials/issue-routes.ts';
import { editPackage } from './edit-package.ts';
import { getManagedPackage } from './get-managed-package.ts';
import { listPackages } from './list-packages.ts';
import { PackageAnswer, presentPackage } from './managed-package.ts';
import { AllSettings } from './package-settings.ts';
import { type ManagementDeps, targetOf } from './package-target.ts';
import { resumePackage } from './resume-package.ts';
import { suspendPackage } from './suspend-package.ts';

const params = Type.Object(PackageParams);
const WithPackage = Type.Object({ package: PackageAnswer });

const present = async (deps: ManagementDeps, { packageId }: { packageId: number }) => ({
  package: presentPackage(await getManagedPackage(deps.db, packageId), deps.now()),
});

export function registerPackageManagement(
  app: App,
  policy: AccessPolicy,
  deps: ManagementDeps,
): void {
  const schema = managed(policy, { summary: 'Read a package and its credit', data: WithPackage });
  const onRequest = policy.authorizeFor({ role: 'member' });
  app.get(policy.packagePath, { schema: { ...schema, params }, onRequest }, async (request) =>
    answer(request, await present(deps, targetOf(deps, request))),
  );
  registerEdit(app, policy, deps);
  registerPackageIssue(app, policy, deps);
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
  const schema = {
    ...managed(policy, { summary: 'List packages, newest first', data }),
    querystring,
  };
  app.get(`${policy.prefix}/packages`, { schema, onRequest: policy.authorize }, async (request) => {
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
  const body = Type.Object(AllSettings);
  const schema = {
    ...managed(policy, {
      summary: "Change a package's settings",
      data: WithPackage,
      description: '`name` and `overdraft_limit` are for administrators.',
    }),
    params,
    body,
  };
  const onRequest = policy.authorizeFor({ role: 'owner' });
  app.patch(policy.packagePath, { schema, onRequest }, async (request) => {
    const { name, overdraft_limit: limit } = request.body;
    if (!policy.isAdmin && (name !== undefined || limit !== undefined)) throw fail('forbidden');
    const target = targetOf(deps, request);
    await deps.db.transaction((tx) => editPackage(tx, target, request.body));
    return answer(request, await present(deps, target));
  });
}

function registerStates(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const onRequest = policy.authorizeFor({ role: 'owner' });
  const describe = (summary: string) => ({
    ...managed(policy, { summary, data: WithPackage }),
    params,
  });
  for (const [verb, change, summary] of [
    ['approve', approvePackage, 'Approve a pending package'],
    ['resume', resumePackage, 'Resume a suspended package'],
  ] as const) {
    const schema = describe(summary);
    app.post(`${policy.packagePath}/${verb}`, { schema, onRequest }, async (request) => {
      const target = targetOf(deps, request);
      await deps.db.transaction((tx) => change(tx, target));
      return answer(request, await present(deps, target));
    });
  }

  const body = Type.Object({ reason: Type.Optional(PrintableText({ max: 255 })) });
  const schema = { ...describe('Suspend an approved package'), body };
  app.post(`${policy.packagePath}/suspend`, { schema, onRequest }, async (request) => {
    const target = targetOf(deps, request);
    const { reason } = request.body;
    await deps.db.transaction((tx) => suspendPackage(tx, { ...target, reason }));
    return answer(request, await present(deps, target));
  });
}
