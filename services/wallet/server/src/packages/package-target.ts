// What the managed routes stand on, and which package a request of theirs is about.

import type { SignIn } from '@counterfoil/identity/sessions/sign-in';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FastifyRequest } from 'fastify';
import { getHome, getPrincipal } from '../access-policy.ts';
import type { PackageTarget } from './lock-package.ts';

export interface ManagementDeps {
  readonly db: Db;
  readonly signIn: SignIn;
  readonly masterKey: MasterKey;
  readonly now: () => Date;
}

/** The package, by whom it is changed, and when. */
export const targetOf = (deps: ManagementDeps, request: FastifyRequest): PackageTarget => ({
  packageId: getHome(request).packageId,
  actor: getPrincipal(request).actor,
  at: deps.now(),
});
