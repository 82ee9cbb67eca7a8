// Issues packages and sandboxes, and answers with their credentials, which are shown once.

import { invitePerson } from '@counterfoil/identity/links/invitations';
import { Email } from '@counterfoil/identity/members/person';
import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import { Type } from 'typebox';
import { type AccessPolicy, getPrincipal, packageRoute, platformRoute } from '../../access-policy.ts';
import { actAs } from '../../people/scope.ts';
import { type ManagementDeps, targetOf } from '../lock-package.ts';
import { PackageAnswer, presentPackage } from '../managed-package.ts';
import { AllSettings, PackageName } from '../package-settings.ts';
import { getManagedPackage } from '../queries.ts';
import { createSandbox } from './create-sandbox.ts';
import { type IssuedPackage, issuePackage } from './issue-package.ts';
import { IssuedPairAnswer, presentIssuedPair } from './key-pair.ts';

const Credentials = Type.Object(
  { uid: Type.String(), caller: IssuedPairAnswer, callback: IssuedPairAnswer, aes_key: Type.String() },
  { description: "Shown only in this answer; the caller's secret is stored as a hash." },
);

async function present(deps: ManagementDeps, issued: IssuedPackage) {
  const found = await getManagedPackage(deps.db, issued.id);
  return {
    package: presentPackage(found, deps.now()),
    credentials: {
      uid: issued.uid,
      caller: presentIssuedPair(issued.caller),
      callback: presentIssuedPair(issued.callback),
      aes_key: issued.aesKey,
    },
  };
}

const Issued = { package: PackageAnswer, credentials: Credentials };

/** Administrators issue packages. Owners may create the sandbox of their own package. */
export function registerPackageIssue(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  if (policy.isAdmin) registerIssue(app, policy, deps);
  const summary = 'Create the sandbox of a package';
  const route = packageRoute(policy, { role: 'owner', summary, data: Type.Object(Issued) });
  app.post(`${policy.packagePath}/sandbox`, route, async (request) => {
    const target = targetOf(deps, request);
    const sandbox = await deps.db.transaction((tx) => createSandbox(tx, deps.masterKey, target));
    return answer(request, await present(deps, sandbox));
  });
}

function registerIssue(app: App, policy: AccessPolicy, deps: ManagementDeps): void {
  const data = Type.Object({
    ...Issued,
    owner_link: Type.Union([Type.String(), Type.Null()], {
      description: 'The link by which the owner sets a password; valid once, for 24 hours.',
    }),
  });
  const body = Type.Object({
    ...AllSettings,
    name: PackageName,
    currency: Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
    owner_email: Type.Optional(Email),
  });
  const route = platformRoute(policy, { summary: 'Issue a package (pending)', data }, { body });
  app.post(`${policy.prefix}/packages`, route, async (request) => {
    const { actor, session } = getPrincipal(request);
    const { owner_email: email, ...wanted } = request.body;
    const { issued, link } = await deps.db.transaction(async (tx) => {
      const made = await issuePackage(tx, deps.masterKey, { wanted, actor, at: deps.now() });
      const tenantId = BigInt(made.id);
      const invitedBy = session?.personId ?? null;
      const signIn = actAs(deps.signIn, actor);
      const owner = { tenantId, role: 'owner', invitedBy } as const;
      const invitation = email && (await invitePerson(signIn, tx, { ...owner, email }));
      return { issued: made, link: invitation };
    });
    return answer(request, { ...(await present(deps, issued)), owner_link: link ? link.url : null });
  });
}
