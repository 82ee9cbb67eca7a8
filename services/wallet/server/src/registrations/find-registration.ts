// What the upstream knows of a package, and how many packages it is still to be told of.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { RegistrationState } from './registration.ts';
import { countPending, selectPending, selectRegistration } from './store.ts';

export const findRegistration = (
  db: Queryable,
  packageId: number,
): Promise<RegistrationState | undefined> => selectRegistration(db, packageId);

export const countPendingRegistrations = (db: Queryable): Promise<number> => countPending(db);

const maxListed = 100;

export const listPendingRegistrations = (
  db: Queryable,
): Promise<(RegistrationState & { packageId: number; name: string })[]> =>
  selectPending(db, maxListed);
