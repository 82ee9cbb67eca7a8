// Reads packages with their settings and credit.

import { getDecimals } from '@counterfoil/kit/money';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { Page } from '../wire/paging.ts';
import type { PackageState, SealedAesKeys } from './customer-package.ts';
import type { ManagedPackage } from './managed-package.ts';

const managed = `select p.id, p.uid, p.name, p.state, p.currency, p.decimals, p.domains, p.caller_addresses,
    p.callback_addresses, p.overdraft_limit, p.alert_threshold, p.max_stake, p.callback_security,
    p.shared_launch,
    p.sandbox_of, t.id as sandbox_id, p.aes_key_rotated_at, p.aes_key_previous_until, p.created_at,
    a.balance as credit
  from packages p
  join accounts a on a.package_id = p.id and a.id = 1
  left join packages t on t.sandbox_of = p.id`;

/** A package without a setting for decimals has the decimals of its currency. */
export const withDecimals = <Row extends { currency: string; decimals: number | undefined }>(row: Row) => ({
  ...row,
  decimals: row.decimals ?? getDecimals(row.currency),
});

type ManagedRow = Omit<ManagedPackage, 'decimals'> & { readonly decimals: number | undefined };

const queryManaged = async (db: Queryable, text: string, values: unknown[]): Promise<ManagedPackage[]> =>
  (await queryRows<ManagedRow>(db, text, values)).map(withDecimals);

export async function findManagedPackage(db: Queryable, id: number): Promise<ManagedPackage | undefined> {
  const [found] = await queryManaged(db, `${managed} where p.id = $1`, [id]);
  return found;
}

export async function getManagedPackage(db: Queryable, id: number): Promise<ManagedPackage> {
  const found = await findManagedPackage(db, id);
  if (!found) throw fail('package_not_found');
  return found;
}

interface PackageFilter extends Pick<Page, 'before' | 'limit'> {
  readonly state?: PackageState | undefined;
  /** The text to search for: a part of the name, or a whole UID. */
  readonly search?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

export const listPackages = (db: Queryable, { before, limit, state, search, sandbox }: PackageFilter) =>
  queryManaged(
    db,
    `${managed}
     where ($1::bigint is null or p.id < $1) and ($3::text is null or p.state = $3)
       and ($4::text is null or p.uid = $4 or strpos(lower(p.name), lower($4)) > 0)
       and ($5::boolean is null or (p.sandbox_of is not null) = $5)
     order by p.id desc limit $2`,
    [before ?? null, limit, state ?? null, search ?? null, sandbox ?? null],
  );

/** The packages with the given ids, and the sandboxes of these packages. */
export const listOwnPackages = (db: Queryable, ids: readonly number[]) =>
  queryManaged(
    db,
    `${managed} where p.id = any ($1::int[]) or p.sandbox_of = any ($1::int[]) order by p.id`,
    [ids],
  );

export const aesKeyFields = 'aes_key_sealed, aes_key_previous_sealed, aes_key_previous_until';

export interface AesKeyRow {
  readonly uid: string;
  readonly aes_key_sealed: Buffer;
  readonly aes_key_previous_sealed: Buffer | null;
  readonly aes_key_previous_until: Date | null;
}

export function toAesKeys(row: AesKeyRow): SealedAesKeys {
  const { aes_key_previous_sealed: sealed, aes_key_previous_until: until } = row;
  const previous = sealed && until ? { sealed, until } : undefined;
  return { uid: row.uid, current: row.aes_key_sealed, previous };
}

export async function getSealedAesKeys(db: Queryable, id: number): Promise<SealedAesKeys> {
  const { rows } = await db.query<AesKeyRow>(`select uid, ${aesKeyFields} from packages where id = $1`, [id]);
  if (!rows[0]) throw new Error(`package ${id} does not exist`);
  return toAesKeys(rows[0]);
}

export interface PackageHome {
  readonly packageId: number;
  /**
   * The tenant whose members may manage the package. The members of a sandbox are those of its real package.
   */
  readonly tenantId: bigint;
}

const idForm = /^[1-9]\d{0,9}$/;

const maxId = 2 ** 31 - 1;

/** Undefined if no package has this id, or if the text is not an id. */
export async function findPackageHome(db: Queryable, text: string): Promise<PackageHome | undefined> {
  const id = idForm.test(text) ? Number(text) : 0;
  if (id === 0 || id > maxId) return undefined;
  const { rows } = await db.query<{ id: number; sandbox_of: number | null }>({
    name: 'select_package_home',
    text: 'select id, sandbox_of from packages where id = $1',
    values: [id],
  });
  const [row] = rows;
  return row && { packageId: row.id, tenantId: BigInt(row.sandbox_of ?? row.id) };
}

/** Finds a package by its number or by its UID, because the command line accepts both. */
export async function findPackageId(db: Queryable, text: string): Promise<number | undefined> {
  if (!text.startsWith('UID_')) return (await findPackageHome(db, text))?.packageId;
  const { rows } = await db.query<{ id: number }>('select id from packages where uid = $1', [text]);
  return rows[0]?.id;
}

/** Lists approved packages, oldest first. */
export const listApproved = (db: Queryable, limit: number) =>
  queryRows<{ id: number; uid: string }>(
    db,
    `select id, uid from packages where state = 'approved' order by id limit $1`,
    [limit],
  );

/** Returns the ids of the next packages after `after`, in ascending order. */
export async function listPackageIds(db: Queryable, after: number, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'select id from packages where id > $1 order by id limit $2',
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

export async function hasPackages(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select 1 from packages limit 1');
  return rows.length > 0;
}
