// To whom a package belongs: a twin has no members of its own, those of the real one are its members.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectHome, selectIdByUid } from './management-store.ts';

export interface PackageHome {
  readonly packageId: number;
  /** The tenant whose members count. */
  readonly tenantId: bigint;
}

const idForm = /^[1-9]\d{0,9}$/;
const maxId = 2 ** 31 - 1;

/** What is no id is nobody's, and so is not found. */
export async function findPackageHome(
  db: Queryable,
  text: string,
): Promise<PackageHome | undefined> {
  const id = idForm.test(text) ? Number(text) : 0;
  if (id === 0 || id > maxId) return undefined;
  const home = await selectHome(db, id);
  return home && { packageId: home.id, tenantId: BigInt(home.sandboxOf ?? home.id) };
}

/** At the command line a package goes by its number or its UID. */
export async function findPackageId(db: Queryable, text: string): Promise<number | undefined> {
  if (text.startsWith('UID_')) return await selectIdByUid(db, text);
  return (await findPackageHome(db, text))?.packageId;
}
