// Shows whether the provider has the current state of a package.

import { answer } from '@counterfoil/kit/http/answers';
import type { App } from '@counterfoil/kit/http/app';
import type { Db } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { type AccessPolicy, getHome, packageRoute, platformRoute } from '../../access-policy.ts';
import { findRegistration, listPendingRegistrations } from './queries.ts';
import { presentRegistration, RegistrationAnswer } from './registration.ts';

interface Deps {
  readonly db: Db;
  readonly callbackUrl: string;
}

export function registerRegistrationManagement(app: App, policy: AccessPolicy, deps: Deps): void {
  const data = Type.Object({ registration: RegistrationAnswer });
  const summary = "Read the package's registration at the provider";
  const route = packageRoute(policy, { role: 'member', summary, data });
  app.get(`${policy.packagePath}/registration`, route, async (request) => {
    const state = await findRegistration(deps.db, getHome(request).packageId);
    return answer(request, { registration: presentRegistration(state, deps.callbackUrl) });
  });
  if (policy.isAdmin) registerPending(app, policy, deps);
}

function registerPending(app: App, policy: AccessPolicy, { db, callbackUrl }: Deps): void {
  const Line = Type.Object({
    package_id: Type.Integer(),
    name: Type.String(),
    registration: RegistrationAnswer,
  });
  const data = Type.Object({ registrations: Type.Array(Line) });
  const route = platformRoute(policy, { summary: 'List pending registrations', data });
  app.get(`${policy.prefix}/registrations`, route, async (request) => {
    const pending = await listPendingRegistrations(db);
    return answer(request, {
      registrations: pending.map((each) => ({
        package_id: each.packageId,
        name: each.name,
        registration: presentRegistration(each, callbackUrl),
      })),
    });
  });
}
